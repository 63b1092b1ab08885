import type { TicketDetail } from '@foyer/protocol';
import { Copy } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { copyCustomerLink } from '../copy-link.ts';
import { t } from '../t.ts';
import { TicketMailLine } from './TicketMailLine.tsx';

/** Says above the reply box how the requester will receive the reply, while there is time to choose another way. */
export function TicketMailNote({ ticket }: { ticket: TicketDetail }) {
  return (
    <div className="shrink-0 px-4 max-md:px-2 lg:px-6">
      <div className="mx-auto max-w-3xl pb-1">
        <TicketMailLine ticket={ticket}>
          <Button
            small
            look="quiet"
            className="-ms-3"
            icon={<Copy aria-hidden className="size-4" />}
            onClick={() => void copyCustomerLink(ticket.id)}
          >
            {t('copy_customer_link')}
          </Button>
        </TicketMailLine>
      </div>
    </div>
  );
}
