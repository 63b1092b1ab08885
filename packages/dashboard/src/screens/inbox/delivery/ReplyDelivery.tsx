import type { OutputOf } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Clock, MailWarning, MessageCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../../api.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { placeOf } from '../../../live/drafts.ts';
import { ticketMailQuery, ticketQuery } from '../../../queries.ts';
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

/** Whether a time is still to come. Renders again once it isn't. */
function useIsBefore(utc: string | null): boolean {
  const left = utc === null ? 0 : Date.parse(utc) - Date.now();
  const [, setOver] = useState<string | null>(null);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setOver(utc), left);
    return () => clearTimeout(timer);
  }, [utc, left]);
  return left > 0;
}

/** A reply whose mail isn't sent yet: its author can have it back in the editor. */
function UndoReply({ ticketId, replyId }: { ticketId: number; replyId: number }) {
  const client = useQueryClient();
  const { drafts, files } = useDesk();
  const undo = useMutation({
    mutationFn: () => call('tickets.undo_reply', { ticket_id: ticketId, reply_id: replyId }),
    onSuccess: ({ text, files: back, mail }) => {
      const place = placeOf({ session_id: null, ticket_id: ticketId });
      const written = drafts.get(place).reply.trim();
      drafts.change(place, { tab: 'reply', reply: written === '' ? text : `${text}\n\n${written}` });
      files.putBack(place, back);
      client.setQueryData(ticketMailQuery(ticketId).queryKey, mail);
      return client.invalidateQueries({ queryKey: ticketQuery(ticketId).queryKey });
    },
    onError: (failure) => toast.error(t('reply_undo_failed'), failure),
  });
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-2 text-soft text-xs" role="status">
      <Clock aria-hidden className="size-4 shrink-0" />
      <p>{t('reply_sending')}</p>
      <Button small look="quiet" busy={undo.isPending} onClick={() => undo.mutate()}>
        {t('reply_undo')}
      </Button>
    </div>
  );
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
  const canUndo = useIsBefore(delivery.undo_until_utc);
  if (canUndo) return <UndoReply ticketId={ticketId} replyId={reply_id} />;
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
