import type { Reply, Ticket, TicketStatus } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { placeOf } from '../../../live/drafts.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { visitorName } from '../../../words.ts';
import { nextStatuses } from '../ticket-actions.ts';
import { STATUSES, statusWord } from '../ticket-words.ts';
import { t } from './t.ts';
import { useWriting } from './use-writing.ts';
import { type Said, WriteBox } from './WriteBox.tsx';

/** TICKET_TEXT_MAX of the protocol. */
const LONGEST = 50_000;

interface TicketComposerProps {
  ticket: Ticket;
  /** The server has it. */
  onSent: (reply: Reply) => void;
}

/** Where an agent answers the requester, or leaves a note that only the team sees. */
export function TicketComposer({ ticket, onSent }: TicketComposerProps) {
  const { live } = useDesk();
  const writing = useWriting(placeOf({ session_id: null, ticket_id: ticket.id }));
  const [status, setStatus] = useState<TicketStatus | ''>('');
  const isClosed = ticket.status === 'closed';
  const send = useMutation({
    mutationFn: ({ tab, text }: Said) =>
      call('ticket_replies.create', {
        ticket_id: ticket.id,
        type: tab === 'note' ? 'note' : 'public',
        body: text,
        ...(status ? { status } : {}),
      }),
    onSuccess: (reply, { tab }) => {
      writing.put(tab, '');
      setStatus('');
      onSent(reply);
    },
    onError: () => live.wake(),
  });
  return (
    <>
      {send.error ? (
        <div className="shrink-0 px-4 max-md:px-2 lg:px-6">
          <ErrorNote
            error={send.error}
            title={send.variables?.tab === 'note' ? t('note_failed') : t('reply_failed')}
            className="mx-auto mb-2 max-w-3xl"
          />
        </div>
      ) : null}
      <WriteBox
        writing={writing}
        placeholder={t('write_answer')}
        longest={LONGEST}
        sendsOn="ctrl_enter"
        macros={{
          values: {
            'visitor.name': ticket.requester.name,
            'visitor.email': ticket.requester.email,
            'ticket.id': ticket.id,
            'ticket.subject': ticket.subject,
          },
          ticket,
        }}
        instead={
          isClosed ? (
            <p className="px-3.5 py-4 text-soft">
              {t('ticket_final', { name: visitorName(ticket.requester) })}
            </p>
          ) : undefined
        }
        busy={send.isPending}
        onSend={send.mutate}
        beforeSend={
          isClosed ? null : (
            <SelectField
              bare
              label={t('status_after')}
              frame="w-44 max-sm:w-40"
              value={status}
              onChange={(event) => setStatus(statusOf(event.target.value))}
            >
              <option value="">{t('status_keep')}</option>
              {nextStatuses(ticket.status)
                .filter((next) => next !== ticket.status)
                .map((next) => (
                  <option key={next} value={next}>
                    {statusWord(next)}
                  </option>
                ))}
            </SelectField>
          )
        }
      />
    </>
  );
}

const statusOf = (value: string): TicketStatus | '' => STATUSES.find((status) => status === value) ?? '';
