import type { TicketDetail } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { ticketMailQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { visitorName } from '../../words.ts';
import { copyCustomerLink } from './copy-link.ts';
import { MailLine } from './MailLine.tsx';
import { t } from './t.ts';

/** Says above the box how the requester will read the reply, while there is time to choose another way. */
export function TicketMailNote({ ticket }: { ticket: TicketDetail }) {
  const { data } = useQuery(ticketMailQuery(ticket.id));
  if (!data || ticket.status === 'closed') return null;
  return (
    <div className="shrink-0 px-4 max-md:px-2 lg:px-6">
      <div className="mx-auto max-w-3xl pb-1">
        <MailLine goesTo={data.goes_to} sendsMail={data.sends_mail} name={visitorName(ticket.requester)}>
          <Button
            small
            look="quiet"
            className="max-sm:-ms-3"
            icon={<Copy aria-hidden className="size-4" />}
            onClick={() => void copyCustomerLink(ticket.id)}
          >
            {t('copy_customer_link')}
          </Button>
        </MailLine>
      </div>
    </div>
  );
}
