import type { TicketDetail, TicketStatus } from '@foyer/protocol';
import { TICKET_TEXT_MAX } from '@foyer/protocol/values/bounds';
import { TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useDesk, useMay, useMe } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { placeOf } from '../../../live/drafts.ts';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { followUpsQuery } from '../../../queries.ts';
import { cx } from '../../../ui/classes.ts';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { visitorName } from '../../../words.ts';
import type { ChosenCopies } from '../mails/Recipients.tsx';
import { NoReplies } from '../spam/NoReplies.tsx';
import { nextStatuses } from '../ticket/ticket-actions.ts';
import { statusWord } from '../ticket/ticket-words.ts';
import type { OtherReply } from './drafts/use-answered-meanwhile.ts';
import { useDrafted } from './drafts/use-draft.ts';
import { TicketBox, ToolsToggle } from './reply/TicketBox.tsx';
import { useReplyFormat } from './reply/use-reply-format.ts';
import { t } from './t.ts';
import type { MacrosHere } from './use-inserting.tsx';
import { useWriting, type Writing } from './use-writing.ts';
import { WriteBox } from './WriteBox.tsx';

const Recipients = lazyPart(() => import('../mails/Recipients.tsx'), 'Recipients');
const SignatureLine = lazyPart(() => import('./SignatureLine.tsx'), 'SignatureLine');

const macrosOf = (ticket: TicketDetail): MacrosHere => ({
  values: {
    'visitor.name': ticket.requester.name,
    'visitor.email': ticket.requester.email,
    'ticket.id': ticket.id,
    'ticket.subject': ticket.subject,
  },
  target: { ticket },
});

/** The last public reply of another team member. */
function useLastOther({ replies }: TicketDetail): OtherReply | null {
  const { agent } = useMe();
  const other = replies.findLast(
    ({ type, author }) =>
      type === 'public' &&
      author.type !== 'requester' &&
      author.type !== 'participant' &&
      !(author.type === 'agent' && author.id === agent.id),
  );
  return other ? { mark: other.id, name: other.author.name } : null;
}

/** Where an agent replies to the requester, or writes an internal note. */
export function TicketComposer({ ticket }: { ticket: TicketDetail }) {
  const { outbox } = useDesk();
  const writing = useWriting(placeOf({ session_id: null, ticket_id: ticket.id }));
  const isNote = useDrafted(writing.place, ({ tab }) => tab === 'note');
  const format = useReplyFormat();
  const [status, setStatus] = useState<TicketStatus | ''>('');
  const [isSigned, setSigned] = useState(true);
  const [copies, setCopies] = useState<ChosenCopies>({});
  const [sentCount, setSentCount] = useState(0);
  const isClosed = ticket.status === 'closed';
  const mayAnswer = useMay('answer');
  return (
    <WriteBox
      writing={writing}
      placeholder={t('reply_placeholder')}
      longest={TICKET_TEXT_MAX}
      sendsOn="ctrl_enter"
      macros={macrosOf(ticket)}
      instead={
        isClosed ? (
          <Closed ticket={ticket} />
        ) : ticket.spam || !mayAnswer ? (
          <NoReplies label={t('reply')} because={mayAnswer ? 'spam' : 'role'} />
        ) : undefined
      }
      takesFiles
      textBox={(box) => <TicketBox key={writing.place} {...box} format={format} />}
      tools={<ToolsToggle format={format} isNote={isNote} />}
      below={
        <Suspense>
          <Recipients key={sentCount} ticketId={ticket.id} copies={copies} onChange={setCopies} />
          <SignatureLine ticketId={ticket.id} isSigned={isSigned} onChange={setSigned} as={Markdown} />
        </Suspense>
      }
      lastOther={useLastOther(ticket)}
      onSend={({ tab, done, ...said }) => {
        const seen = ticket.replies.at(-1)?.id ?? 0;
        const after = done ? 'solved' : status;
        const choice = {
          ...(after ? { status: after } : {}),
          ...(isSigned ? {} : { signed: false }),
          ...(tab === 'note' ? {} : copies),
        };
        outbox.add({ place: writing.place, kind: tab, ...said, seen, ...choice });
        writing.put(tab, '');
        setStatus('');
        setSigned(true);
        setCopies({});
        setSentCount((count) => count + 1);
      }}
      beforeSend={isClosed ? null : <StatusAfter {...{ ticket, writing, status }} onChange={setStatus} />}
    />
  );
}

interface StatusAfterProps {
  ticket: TicketDetail;
  writing: Writing;
  status: TicketStatus | '';
  onChange: (status: TicketStatus | '') => void;
}

/** The ticket's status after sending. */
function StatusAfter({ ticket, writing, status, onChange }: StatusAfterProps) {
  const isReply = useDrafted(writing.place, ({ tab }) => tab === 'reply');
  // A reply opens a new ticket, a note doesn't.
  const next = isReply && ticket.status === 'new' ? 'open' : ticket.status;
  return (
    <SelectField
      bare
      label={t('status_after')}
      frame="w-44 max-sm:w-40"
      value={status}
      onChange={(event) => onChange(statusOf(event.target.value))}
      any={next === ticket.status ? t('status_keep', { status: statusWord(next) }) : statusWord(next)}
      options={nextStatuses(ticket.status)
        .filter((one) => one !== next)
        .map((one) => ({ value: one, label: statusWord(one) }))}
    />
  );
}

/** Why replies are no longer possible, and where the ticket continues. */
function Closed({ ticket }: { ticket: TicketDetail }) {
  const { data, isPending } = useQuery(followUpsQuery(ticket.id));
  const intoId = data?.merged_into_id ?? null;
  return (
    <p className={cx('px-3.5 py-4 text-soft', isPending && 'invisible')}>
      {intoId === null
        ? t('ticket_final', { name: visitorName(ticket.requester) })
        : t.rich('ticket_merged', {
            link: (
              <Link
                to="/inbox/tickets/$ticketId"
                params={{ ticketId: String(intoId) }}
                search={true}
                className="text-accent-text underline underline-offset-2"
              >
                #{intoId}
              </Link>
            ),
          })}
    </p>
  );
}

const statusOf = (value: string): TicketStatus | '' =>
  TICKET_STATUSES.find((status) => status === value) ?? '';
