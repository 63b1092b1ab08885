import type { OutputOf } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailWarning, MessageCircle } from 'lucide-react';
import { call } from '../../../api.ts';
import { ticketMailQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

type TicketMail = OutputOf<'tickets.mail'>;
type Delivery = TicketMail['replies'][number];

interface ReplyDeliveryProps {
  ticketId: number;
  delivery: Delivery;
  mail: Pick<TicketMail, 'goes_to'>;
}

/** Why a reply hasn't reached its customer, with a retry. Hidden if it was sent. */
export function ReplyDelivery({ ticketId, delivery, mail }: ReplyDeliveryProps) {
  const { state, error, reply_id } = delivery;
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call('tickets.retry_mail', { ticket_id: ticketId, reply_id }),
    onSuccess: (after) => client.setQueryData(ticketMailQuery(ticketId).queryKey, after),
    onError: (failure) => toast.error(t('reply_retry_failed'), failure),
  });
  if (state === 'sent' || (state === 'queued' && error === null)) return null;
  const Icon = state === 'in_chat' ? MessageCircle : MailWarning;
  const canRetry = mail.goes_to !== null && state !== 'in_chat' && state !== 'queued';
  return (
    <div className="mt-2 flex gap-1.5 text-soft text-xs">
      <Icon aria-hidden className="mt-2 size-4 shrink-0" />
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <p className={cx('wrap-anywhere min-w-0 pt-2', error === null ? 'pb-2' : 'basis-full')}>
          {t(`reply_${state}`)}
          {error === null ? null : <bdi className="block text-faint">{error}</bdi>}
        </p>
        {canRetry ? (
          <Button
            small
            look="quiet"
            className={error === null ? '' : '-ms-3'}
            busy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t(state === 'not_sent' ? 'reply_email_now' : 'reply_retry')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
