import type { Message, Note, Session } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { BookOpen, CircleAlert, Clock, ListPlus, Lock, Paperclip, Quote } from 'lucide-react';
import { memo, type ReactNode, Suspense } from 'react';
import { useLiveState, useMe } from '../../../desk/DeskContext.tsx';
import { useLanguage } from '../../../language.ts';
import { lazyPart } from '../../../lazy-part.ts';
import type { Outgoing } from '../../../live/outbox.ts';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { teamsQuery } from '../../../queries.ts';
import { clock, exact } from '../../../times.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Face } from '../../../ui/Face.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { systemSentence } from '../../../words.ts';
import { SourceLink, sourceKeyOf } from '../../knowledge/sources/SourceLink.tsx';
import { RedactButton } from '../redaction/RedactButton.tsx';
import { t } from '../t.ts';
import { Files } from './Files.tsx';
import type { EventEntry } from './timeline.ts';

const HandoffBlock = lazyPart(() => import('./HandoffBlock.tsx'), 'HandoffBlock');

export const RoutingLine = lazyPart(() => import('../routing/RoutingLine.tsx'), 'RoutingLine');

const NotSent = lazyPart(() => import('../NotSent.tsx'), 'NotSent');

const BUBBLE = 'wrap-anywhere min-w-0 max-w-full rounded-xl px-3.5 py-2';

const ON_HOVER =
  'opacity-0 focus-visible:opacity-100 group-hover/said:opacity-100 [@media(hover:none)]:opacity-100';

/** Visitors are on the left, the team on the right; the name is above. */
function Row({
  ours,
  face,
  head,
  children,
  foot,
  isOnItsWay = false,
}: {
  ours: boolean;
  face: ReactNode;
  head: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
  /** Read out once, when it arrives. */
  isOnItsWay?: boolean;
}) {
  return (
    <div
      aria-live={isOnItsWay ? 'off' : undefined}
      className={cx('flex gap-2', ours && 'flex-row-reverse', head ? 'mt-4 first:mt-0' : 'mt-1')}
    >
      <div className="w-8 shrink-0">{head ? face : null}</div>
      <div
        className={cx('flex min-w-0 max-w-[85%] flex-col lg:max-w-[75%]', ours ? 'items-end' : 'items-start')}
      >
        {head ? <p className="mb-1 flex max-w-full items-baseline gap-2 text-xs">{head}</p> : null}
        {children}
        {foot ? <div className="mt-1 text-faint text-xs">{foot}</div> : null}
      </div>
    </div>
  );
}

const At = ({ utc }: { utc: string }) => (
  <time dateTime={utc} title={exact(utc)} className="tabular shrink-0 text-faint">
    {clock(utc)}
  </time>
);

const Who = ({ name, children }: { name: string; children?: ReactNode }) => (
  <span className="min-w-0 truncate font-medium">
    <bdi>{name}</bdi>
    {children}
  </span>
);

interface MessageBubbleProps {
  message: Message;
  sessionId: string;
  first: boolean;
  /** The visitor's name. */
  visitor: string;
  named: string | null;
  /** Whether the visitor has read it; null if that isn't shown. */
  read: boolean | null;
  /** Adds a visitor's question to a question set; unset if that isn't offered. */
  onCollect?: (message: Message) => void;
  /** Replies with the visitor's words quoted. */
  onQuote: (text: string) => void;
}

/** Long chats are drawn again with each new message, so unchanged ones must cost nothing. */
export const MessageBubble = memo(function MessageBubble(props: MessageBubbleProps) {
  useLanguage();
  return props.message.sender === 'visitor' ? <VisitorBubble {...props} /> : <TeamBubble {...props} />;
});

/** Beside a message: redacting it. */
const Redact = ({ sessionId, message }: { sessionId: string; message: Message }) => (
  <RedactButton
    what={{
      of: { session_id: sessionId, message_id: message.id },
      text: message.text,
      files: message.attachments,
    }}
    className={ON_HOVER}
  />
);

function VisitorBubble(props: MessageBubbleProps) {
  const { message, sessionId, first, visitor, named, onCollect, onQuote } = props;
  return (
    <Row
      ours={false}
      face={<Face kind="visitor" name={named} />}
      head={
        first ? (
          <>
            <Who name={visitor} />
            <At utc={message.created_utc} />
          </>
        ) : null
      }
    >
      {message.text !== '' && (
        <div className="group/said flex max-w-full items-center gap-1">
          <div
            className={cx(BUBBLE, 'whitespace-pre-wrap bg-bubble')}
            dir="auto"
            title={exact(message.created_utc)}
          >
            {message.text}
          </div>
          <IconButton small label={t('quote')} onClick={() => onQuote(message.text)} className={ON_HOVER}>
            <Quote aria-hidden className="size-4" />
          </IconButton>
          {onCollect ? (
            <IconButton small label={t('collect')} onClick={() => onCollect(message)} className={ON_HOVER}>
              <ListPlus aria-hidden className="size-4" />
            </IconButton>
          ) : null}
          <Redact sessionId={sessionId} message={message} />
        </div>
      )}
      <div className="group/said flex max-w-full items-center gap-1">
        <Files message={message} ours={false} />
        {message.text === '' ? <Redact sessionId={sessionId} message={message} /> : null}
      </div>
    </Row>
  );
}

/** A message of an agent or the bot. */
function TeamBubble({ message, sessionId, first, read }: MessageBubbleProps) {
  const bot = message.sender === 'bot';
  // Shown on a page before the chat began, under the name of the bot or of an agent.
  const isProactive = message.event === 'proactive';
  const name = bot && !isProactive ? t('bot') : (message.author?.name ?? t('team'));
  const kind = isProactive ? t('proactive') : bot ? null : t('by_team');
  return (
    <Row
      ours
      face={<Face kind={bot ? 'bot' : 'agent'} name={name} picture={message.author?.picture_url} />}
      head={
        first ? (
          <>
            <At utc={message.created_utc} />
            <Who name={name}>{kind ? <span className="font-normal text-soft"> {kind}</span> : null}</Who>
          </>
        ) : null
      }
      foot={read === null ? null : read ? t('read') : t('sent')}
    >
      <div className="group/said flex max-w-full flex-row-reverse items-center gap-1">
        {message.text !== '' && (
          <div
            className={cx(BUBBLE, bot ? 'border border-line-strong bg-surface' : 'bg-accent-ground')}
            title={exact(message.created_utc)}
          >
            <Markdown text={message.text} breaks />
            <Sources message={message} />
          </div>
        )}
        <Redact sessionId={sessionId} message={message} />
      </div>
      <Files message={message} ours />
    </Row>
  );
}

function Sources({ message }: { message: Message }) {
  if (message.sources.length === 0) return null;
  return (
    <ul aria-label={t('sources')} className="mt-2 flex flex-col gap-1 border-t pt-2">
      {message.sources.map((source) => (
        <li key={sourceKeyOf(source)}>
          <SourceLink
            source={source}
            className="flex min-h-6 items-center gap-1.5 text-accent-text text-xs hover:underline"
          >
            <BookOpen aria-hidden className="size-3.5 shrink-0" />
            <span className="truncate">{source.title}</span>
          </SourceLink>
        </li>
      ))}
    </ul>
  );
}

/** An event in words; a handoff with its reason and summary. */
export function EventLine({ entry, handoff }: { entry: EventEntry; handoff: Session['handoff'] }) {
  const { message, utc } = entry;
  const name = message.author?.name ?? null;
  const sentence =
    entry.isAssignment && name ? t('assigned', { name }) : systemSentence(message.event, name, message.text);
  const line = (
    <p className="my-3 text-center text-soft text-xs" title={exact(utc)}>
      <bdi>{sentence}</bdi> · {clock(utc)}
    </p>
  );
  const { decision } = entry;
  if (!handoff && !decision) return line;
  return (
    <Suspense fallback={line}>
      {handoff ? <HandoffBlock sentence={sentence} utc={utc} handoff={handoff} /> : null}
      {decision ? <RoutingLine decision={decision} /> : null}
    </Suspense>
  );
}

const NOTE = 'rounded-lg border border-note-line bg-note-ground px-3.5 py-2';

interface NoteBubbleProps {
  note: Note;
  /** Set if no heading shows the day. */
  isDated?: boolean;
}

/** A note can't be mistaken for a message: full width, its own background, a lock. */
export const NoteBubble = memo(function NoteBubble({ note, isDated = false }: NoteBubbleProps) {
  useLanguage();
  const { agent } = useMe();
  const ofTeam = note.mentions.some(({ kind }) => kind);
  const teams = useQuery({ ...teamsQuery, enabled: ofTeam }).data?.items ?? [];
  const mine = teams.filter(({ members }) => members.some(({ id }) => id === agent.id));
  const names = note.mentions.map(({ id, name, kind }) => ({
    name,
    isMe: kind ? mine.some((team) => team.id === id) : id === agent.id,
  }));
  return (
    <article aria-label={t('note_by', { name: note.author.name })} className={cx(NOTE, 'mt-4 first:mt-0')}>
      <p className="mb-1 flex items-center gap-1.5 text-note-text text-xs">
        <Lock aria-hidden className="size-3.5 shrink-0" />
        <span className="wrap-anywhere min-w-0 flex-1">
          {t.rich('note_head', { name: <span className="font-medium">{note.author.name}</span> })}
        </span>
        <span className="tabular shrink-0">
          {isDated ? (
            <>
              <Ago utc={note.created_utc} words />,{' '}
            </>
          ) : null}
          <time dateTime={note.created_utc} title={exact(note.created_utc)}>
            {clock(note.created_utc)}
          </time>
        </span>
      </p>
      <Markdown text={note.text} breaks names={names} />
    </article>
  );
});

/** A message of the agent that the server hasn't confirmed yet. */
export function OutgoingBubble({ item, first }: { item: Outgoing; first: boolean }) {
  const { agent } = useMe();
  const failed = item.state === 'failed';
  const quiet = item.kind === 'note' ? 'text-note-text' : 'text-faint';
  const waits = useLiveState() === 'offline' ? t('sent_later') : t('sending');
  const words = (
    <span className={cx('flex items-center gap-1.5', failed ? 'text-danger-text' : quiet)}>
      {failed ? <CircleAlert aria-hidden className="size-3.5" /> : <Clock aria-hidden className="size-3.5" />}
      {failed ? t('not_sent') : waits}
    </span>
  );
  const text = (
    <>
      {item.text !== '' && <Markdown text={item.text} breaks />}
      {item.files?.map((file) => (
        <p key={file.upload_id} className="flex items-center gap-1.5">
          <Paperclip aria-hidden className="size-3.5 shrink-0" />
          <span className="min-w-0 truncate" dir="auto">
            {file.name}
          </span>
        </p>
      ))}
    </>
  );
  const whatNow = failed ? (
    <Suspense>
      <NotSent item={item} />
    </Suspense>
  ) : null;
  if (item.kind === 'note') {
    return (
      <div aria-live="off" className={cx(NOTE, 'mt-4')}>
        {text}
        <div className="mt-1 text-xs">{words}</div>
        {whatNow}
      </div>
    );
  }
  return (
    <Row
      ours
      isOnItsWay
      face={<Face kind="agent" name={agent.name} picture={agent.picture_url} />}
      head={first ? <Who name={agent.name} /> : null}
      foot={whatNow ?? words}
    >
      <div
        className={cx(
          BUBBLE,
          failed ? 'border border-danger-line bg-danger-ground' : 'bg-accent-ground opacity-80',
        )}
      >
        {text}
      </div>
    </Row>
  );
}
