import type { Message, VisitorSession } from '@foyer/protocol';
import type { ConversationState } from '../../core/conversation.ts';
import type { OutboxEntry } from '../../core/outbox.ts';
import { type TimelineRow as Row, sourceKey } from '../../core/timeline.ts';
import { say } from '../../strings.ts';
import { clock, day, exact } from '../../time.ts';
import { Avatar } from '../Avatar.tsx';
import { handFocus } from '../hand-focus.ts';
import { ARTICLE, FILE, Icon } from '../Icons.tsx';
import { lazy } from '../lazy.ts';
import { Plain, Rich } from './Rich.tsx';
import { useShared } from './use-chat.ts';

interface TimelineRowProps {
  row: Row;
  session: VisitorSession | undefined;
  isLast: boolean;
  /** The visitor's last message that reached an online agent. */
  delivered: number;
  /** Its position in a chat of which only a part is drawn. */
  position?: number | undefined;
}

/** The total changes with each message, which must not redraw every row: -1 means "many". */
const placed = (position: number | undefined) =>
  position === undefined ? {} : { 'aria-posinset': position, 'aria-setsize': -1 };

const Files = lazy(async () => (await import('./Files.tsx')).Files);

export const TimelineRow = ({ row, session, isLast, delivered, position }: TimelineRowProps) => {
  if (row.type === 'day') return <li class="day">{day(row.utc)}</li>;
  if (row.type === 'pending') return <PendingRow entry={row.entry} isFirst={row.isFirst} isLast={isLast} />;
  const { message, isFirst } = row;
  if (message.sender === 'system') return <SystemRow message={message} position={position} />;
  if (message.sender === 'visitor') {
    const isRead = session !== undefined && session.agent !== null && session.agent_read_seq >= message.seq;
    return (
      <li class={`message message-own${isFirst ? ' message-first' : ''}`} {...placed(position)}>
        {message.text !== '' && (
          <div class="bubble bubble-own" dir="auto" title={exact(message.created_utc)}>
            <Plain text={message.text} />
          </div>
        )}
        {message.attachments.length > 0 && <Files files={message.attachments} />}
        {isLast && (
          <p class="message-state">
            {say(isRead ? 'read' : delivered >= message.seq ? 'delivered' : 'sent')} ·{' '}
            {clock(message.created_utc)}
          </p>
        )}
      </li>
    );
  }
  return (
    <OtherRow message={message} isFirst={isFirst} isLast={isLast} session={session} position={position} />
  );
};

interface OtherRowProps {
  message: Message;
  session: VisitorSession | undefined;
  isFirst: boolean;
  isLast: boolean;
  position: number | undefined;
}

const OtherRow = ({ message, session, isFirst, isLast, position }: OtherRowProps) => {
  const kind = message.sender === 'bot' ? 'bot' : 'agent';
  const name = message.author?.name ?? say(kind === 'bot' ? 'bot_name' : 'team');
  const isAsked = isLast && session?.status === 'bot';
  return (
    <li class={`message message-other${isFirst ? ' message-first' : ''}`} {...placed(position)}>
      {isFirst ? (
        <Avatar kind={kind} name={name} picture={message.author?.picture_url} />
      ) : (
        <span class="avatar-gap" />
      )}
      <div class="message-body">
        {isFirst ? (
          <p class="message-name">
            <span dir="auto">{name}</span>
            {kind === 'bot' && <span class="tag">{say('bot')}</span>}
          </p>
        ) : (
          <span class="unseen">{name}</span>
        )}
        {message.text !== '' && (
          <div class="bubble bubble-other" dir="auto" title={exact(message.created_utc)}>
            <Rich text={message.text} />
          </div>
        )}
        {message.attachments.length > 0 && <Files files={message.attachments} />}
        {isAsked && message.event === 'asked_back' ? null : <Sources message={message} />}
        {isAsked && <Choices message={message} session={session} />}
        {isLast && <p class="message-state">{clock(message.created_utc)}</p>}
      </div>
    </li>
  );
};

/** Articles cited by an answer open in the panel; going back returns to the answer. Pages open in a new tab. */
const Sources = ({ message: { seq, sources } }: { message: Message }) => {
  const { places } = useShared();
  if (sources.length === 0) return null;
  return (
    <fieldset class="sources">
      <legend class="unseen">{say('sources')}</legend>
      {sources.map((source) => {
        const { title } = source;
        const chip = { class: 'chip', dir: 'auto', title } as const;
        const label = (
          <>
            <Icon path={ARTICLE} size={14} />
            <span>{title}</span>
          </>
        );
        if ('document_id' in source) {
          const { document_id, url } = source;
          return (
            <a key={-document_id} {...chip} {...(url && { href: url, target: '_blank', rel: 'noopener' })}>
              {label}
            </a>
          );
        }
        const { article_id, slug } = source;
        return (
          <button
            key={article_id}
            type="button"
            {...chip}
            data-key={sourceKey(seq, article_id)}
            onClick={({ currentTarget }) => {
              // Safari doesn't focus clicked buttons, but the way back depends on it.
              currentTarget.focus();
              places.go({ name: 'article', slug });
            }}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
};

/** The articles that may have been meant, and actions. Choosing one sends it; "none of these" calls a person. */
const Choices = ({ message, session }: { message: Message; session: VisitorSession }) => {
  const { chat } = useShared();
  const asksBack = message.event === 'asked_back';
  const texts = [...(asksBack ? message.sources.map(({ title }) => title) : []), ...(message.choices ?? [])];
  if (!texts.length) return null;
  return (
    <div class="choices">
      {texts.map((text) => (
        <button
          key={text}
          type="button"
          class="choice"
          dir="auto"
          onClick={() => chat.send(session.session_id, text)}
        >
          {text}
        </button>
      ))}
      {asksBack && (
        <button type="button" class="choice" onClick={() => chat.askForPerson(session.session_id)}>
          {say('choices_none')}
        </button>
      )}
    </div>
  );
};

const SystemRow = ({ message, position }: { message: Message; position: number | undefined }) => {
  const name = message.author?.name;
  const text =
    message.event === null || message.event === 'asked_back' || message.event === 'proactive'
      ? message.text
      : message.event === 'agent_joined'
        ? say(name ? 'event_agent_joined' : 'event_agent_joined_unnamed', { name: name ?? '' })
        : say(`event_${message.event}`);
  return (
    <li class="system" title={exact(message.created_utc)} {...placed(position)}>
      <span dir="auto">{text}</span> <time dateTime={message.created_utc}>{clock(message.created_utc)}</time>
    </li>
  );
};

const waitingWord = ({ line, isFleeting }: ConversationState) => {
  const isAway = line === 'offline' || line === 'reconnecting';
  return !isAway ? 'sending' : isFleeting ? 'keep_open' : 'queued';
};

interface PendingRowProps {
  entry: OutboxEntry;
  isFirst: boolean;
  isLast: boolean;
}

const PendingRow = ({ entry, isFirst, isLast }: PendingRowProps) => {
  const { chat, state } = useShared();
  const failed = entry.refused === undefined ? '' : ' message-failed';
  const classes = `message message-own message-pending${failed}${isFirst ? ' message-first' : ''}`;
  return (
    <li class={classes}>
      {entry.text !== '' && (
        <div class="bubble bubble-own" dir="auto">
          <Plain text={entry.text} />
        </div>
      )}
      {entry.files?.map((file) => (
        <div key={file.upload_id} class="file">
          <Icon path={FILE} size={18} />
          <span class="file-name" dir="auto">
            {file.name}
          </span>
        </div>
      ))}
      {entry.refused !== undefined ? (
        <p class="message-state message-state-failed" role="alert">
          {entry.refused ? say('failed_reason', { reason: entry.refused }) : say('failed')}{' '}
          <button
            type="button"
            class="link-button"
            onClick={({ currentTarget }) => {
              handFocus(currentTarget);
              chat.retry(entry.client_id);
            }}
          >
            {say('retry')}
          </button>{' '}
          <button
            type="button"
            class="link-button"
            onClick={({ currentTarget }) => {
              handFocus(currentTarget);
              chat.discard(entry.client_id);
            }}
          >
            {say('discard')}
          </button>
        </p>
      ) : (
        isLast && <p class="message-state">{say(waitingWord(state))}</p>
      )}
    </li>
  );
};
