import type { Attachment, Reply, TicketDetail } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useOutbox } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { placeOf } from '../../../live/drafts.ts';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { agentsQuery, ticketChatQuery, ticketMailQuery, ticketMentionsQuery } from '../../../queries.ts';
import { clock, exact } from '../../../times.ts';
import { BY_KEYBOARD } from '../../../ui/by-keyboard.ts';
import { Face } from '../../../ui/Face.tsx';
import { Bone } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { visitorName } from '../../../words.ts';
import { NoteBubble, OutgoingBubble } from '../chat/Bubble.tsx';
import { sizeOf } from '../chat/Files.tsx';
import { FoundPlace, useFoundPlace } from '../chat/FoundPlace.tsx';
import { useStickToEnd } from '../chat/use-stick-to-end.ts';
import { ReplyDelivery } from '../delivery/ReplyDelivery.tsx';
import { type Redactable, RedactButton } from '../redaction/RedactButton.tsx';
import { t as tInbox } from '../t.ts';
import { noteWords } from './merge-words.ts';
import { TicketChat } from './TicketChat.tsx';
import { t } from './t.ts';

const MailHead = lazyPart(() => import('../mails/MailHead.tsx'), 'MailHead');
const MailBody = lazyPart(() => import('../mails/MailBody.tsx'), 'MailBody');

/**
 * A ticket's messages from the beginning.
 * It opens at its end, as a chat does; a new ticket opens where the customer starts to write.
 */
export function TicketThread({ ticket }: { ticket: TicketDetail }) {
  const requester = visitorName(ticket.requester);
  const found = useFoundPlace();
  const place = placeOf({ session_id: null, ticket_id: ticket.id });
  // A sent reply appears among the replies at the same moment.
  const outgoing = useOutbox().filter((item) => item.place === place && item.state !== 'sent');
  const { box, inside } = useStickToEnd({
    newest: `${ticket.replies.at(-1)?.id}`,
    sending: outgoing.length,
    place: found,
    opensAtEnd: ticket.replies.length > 0 || ticket.session_id !== null,
  });
  return (
    <div
      {...box}
      role="log"
      aria-label={tInbox('conversation')}
      {...BY_KEYBOARD}
      className="scroll-y min-h-0 flex-1 px-4 py-4 focus-visible:outline-offset-[-2px] lg:px-6"
    >
      <div ref={inside} className="mx-auto max-w-3xl space-y-4">
        <Asked ticket={ticket} requester={requester} />
        {ticket.replies.map((reply) => {
          const entry = (
            <ReplyEntry key={reply.id} reply={reply} requester={requester} named={ticket.requester.name} />
          );
          return found === `n${reply.id}` ? <FoundPlace key={reply.id}>{entry}</FoundPlace> : entry;
        })}
        {outgoing.map((item) => (
          <OutgoingBubble key={item.client_id} item={item} first />
        ))}
      </div>
    </div>
  );
}

/** The beginning of the ticket: the chat that it was created from, or the customer's message. */
function Asked({ ticket, requester }: { ticket: TicketDetail; requester: string }) {
  const { data, isPending } = useQuery({
    ...ticketChatQuery(ticket.id),
    enabled: ticket.session_id !== null,
  });
  if (ticket.session_id !== null && isPending) return <Bone className="h-32 w-full" />;
  if (data?.chat)
    return <TicketChat ticket={ticket} messages={data.chat.messages} leftOut={data.chat.left_out} />;
  // The team wrote first.
  if (ticket.description === '') return null;
  return (
    <Entry
      who={requester}
      kind="visitor"
      named={ticket.requester.name}
      utc={ticket.created_utc}
      what={{ of: { ticket_id: ticket.id }, text: ticket.description, files: ticket.attachments }}
    >
      <WithMail ticketId={ticket.id} replyId={null}>
        <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
          {ticket.description}
        </p>
      </WithMail>
      <Files files={ticket.attachments} />
    </Entry>
  );
}

interface WithMailProps {
  ticketId: number;
  replyId: number | null;
  children: ReactNode;
}

/** A message's text with what its email adds, if the ticket has emails. */
function WithMail({ ticketId, replyId, children }: WithMailProps) {
  const { data: mail } = useQuery(ticketMailQuery(ticketId));
  if (!mail?.from) return children;
  return (
    <>
      <Suspense>
        <MailHead ticketId={ticketId} replyId={replyId} />
      </Suspense>
      <Suspense fallback={children}>
        <MailBody ticketId={ticketId} replyId={replyId}>
          {children}
        </MailBody>
      </Suspense>
    </>
  );
}

interface ReplyEntryProps {
  reply: Reply;
  requester: string;
  named: string | null;
}

function ReplyEntry({ reply, requester, named }: ReplyEntryProps) {
  const { author, body, created_utc } = reply;
  const { data: team } = useQuery(agentsQuery);
  const { data: noted } = useQuery(ticketMentionsQuery(reply.ticket_id));
  const { data: mail } = useQuery(ticketMailQuery(reply.ticket_id));
  if (reply.type === 'note') {
    const name = author.name || t('automation');
    const mentions = noted?.mentions.filter((one) => one.reply_id === reply.id) ?? [];
    return (
      <NoteBubble
        isDated
        note={{
          id: reply.id,
          author: { id: author.id ?? 0, name },
          text: noteWords(body),
          mentions,
          created_utc,
        }}
      />
    );
  }
  const isRequester = author.type === 'requester';
  const isOutside = isRequester || author.type === 'participant';
  const delivery = mail?.replies.find(({ reply_id }) => reply_id === reply.id);
  return (
    <Entry
      who={isRequester ? requester : author.name}
      kind={isOutside ? 'visitor' : 'agent'}
      named={isRequester ? named : author.name}
      picture={author.type === 'agent' ? team?.agents.find(({ id }) => id === author.id)?.picture_url : null}
      utc={created_utc}
      what={{
        of: { ticket_id: reply.ticket_id, reply_id: reply.id },
        text: body,
        files: reply.attachments,
      }}
      role={isRequester ? undefined : isOutside ? t('participant') : tInbox('team')}
    >
      <WithMail ticketId={reply.ticket_id} replyId={reply.id}>
        {isOutside ? (
          <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
            {body}
          </p>
        ) : (
          <Markdown text={body} breaks />
        )}
      </WithMail>
      <Files files={reply.attachments} />
      {delivery && mail ? <ReplyDelivery ticketId={reply.ticket_id} delivery={delivery} mail={mail} /> : null}
    </Entry>
  );
}

interface EntryProps {
  who: string;
  kind: 'visitor' | 'agent';
  named: string | null;
  picture?: string | null | undefined;
  utc: string;
  role?: string | undefined;
  what: Redactable;
  children: ReactNode;
}

function Entry({ who, kind, named, picture, utc, role, what, children }: EntryProps) {
  return (
    <article aria-label={t('entry_by', { who, date: exact(utc) })} className="group/entry rounded-lg border">
      <header className="flex items-center gap-2 border-b px-4 py-2">
        <Face kind={kind} name={named} picture={picture} size="small" />
        <span className="min-w-0 flex-1 truncate">
          <bdi className="font-medium">{who}</bdi>
          {role ? <span className="text-soft"> · {role}</span> : null}
        </span>
        <RedactButton
          what={what}
          className="opacity-0 focus-visible:opacity-100 group-hover/entry:opacity-100 [@media(hover:none)]:opacity-100"
        />
        <span className="shrink-0 text-faint text-xs">
          <Ago utc={utc} words />, <time dateTime={utc}>{clock(utc)}</time>
        </span>
      </header>
      <div className={kind === 'agent' ? 'bg-accent-ground px-4 py-3' : 'px-4 py-3'}>{children}</div>
    </article>
  );
}

function Files({ files }: { files: readonly Attachment[] }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label={tInbox('files')} className="mt-3 flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.id} className="max-w-full">
          <a
            href={file.url}
            className="flex items-center gap-2 rounded-lg border bg-surface px-3 py-1.5 hover:bg-hover"
          >
            <FileDown aria-hidden className="size-4 shrink-0 text-soft" />
            <span className="min-w-0 truncate">
              <bdi>{file.name}</bdi>
            </span>
            <span className="tabular shrink-0 text-faint text-xs">{sizeOf(file.size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
