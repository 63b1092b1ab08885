import { WEBHOOK_EVENTS, type WebhookEvent } from '@foyer/protocol';
import type { TokenResource, TokenScope } from '@foyer/protocol/values/tokens/token-scopes';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { Actor } from '../../core/actor.ts';

type Token = Extract<Actor, { kind: 'token' }>;

/**
 * The resource whose records an event shows: a token that may read it may stream the event. Null: only tokens that may
 * read everything. Absent: in no stream.
 */
const RESOURCE_OF: Readonly<Partial<Record<WebhookEvent, TokenResource | null>>> = {
  handoff: 'handoffs',
  feedback: 'feedback',
  conversation_started: 'conversations',
  conversation_closed: 'conversations',
  conversation_assigned: 'conversations',
  conversation_transferred: 'conversations',
  conversation_returned: 'conversations',
  conversation_team_changed: 'conversations',
  conversation_tagged: 'conversations',
  conversation_fields_changed: 'conversations',
  conversation_snoozed: 'conversations',
  conversation_reopened: 'conversations',
  note_created: 'conversation_notes',
  message_created: 'conversation_messages',
  bot_turn_requested: 'conversation_messages',
  ticket_created: 'tickets',
  ticket_updated: 'tickets',
  ticket_replied: 'tickets',
  spam_changed: 'spam',
  content_redacted: null,
  sla_warning: null,
  sla_breached: null,
  visitor_identified: 'visitors',
  segment_entered: 'segments',
  segment_left: 'segments',
};

/** The events that streams can have. */
export const STREAM_EVENTS = WEBHOOK_EVENTS.filter((event) => event in RESOURCE_OF);

const isStreamed = (name: string): name is WebhookEvent => Object.hasOwn(RESOURCE_OF, name);

function maySee({ scopes, browser }: Token, event: WebhookEvent): boolean {
  if (browser) return false;
  if (!scopes) return true;
  const granted: readonly TokenScope[] = scopes;
  if (granted.includes('read')) return true;
  const resource = RESOURCE_OF[event];
  return granted.some((scope) => scope === `${resource}:read` || scope === `${resource}:write`);
}

/**
 * The events of a stream: the requested ones, or all that the token may see.
 * @throws AppError 400 for an unknown event, 403 for one that the token may not see, or if it may see none
 */
export function streamTypes(token: Token, asked: string | null): WebhookEvent[] {
  const names = asked === null ? STREAM_EVENTS : [...new Set(asked.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !isStreamed(name));
  if (unknown !== undefined)
    throw invalidInput([
      { path: 'types', message: `${JSON.stringify(unknown.slice(0, 60))} isn’t an event of streams` },
    ]);
  const events = names.filter(isStreamed);
  const seen = events.filter((event) => maySee(token, event));
  const hidden =
    asked === null
      ? seen.length === 0
        ? events[0]
        : undefined
      : events.find((event) => !seen.includes(event));
  if (hidden === undefined) return seen;
  const needed = RESOURCE_OF[hidden];
  throw new AppError(
    'insufficient_scope',
    token.browser
      ? 'Browser tokens can’t read events.'
      : `The event ${hidden} needs the scope ${needed ? `${needed}:read` : 'read'}.`,
  );
}
