import { isRuleEvent, type RuleEvent } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { RuleEventDetails } from '../../db/column-types.ts';
import type { Db } from '../../db/database.ts';
import { type Given, isExpression } from '../../db/given-rows.ts';
import type { RuleCause, WebhookPart } from '../domain-event.ts';

/** A change as triggers of rules see it. `from` (`… from …`) has the rows that its expressions refer to. */
interface Triggering {
  event: RuleEvent;
  ticketId: number | null;
  sessionId: string | null | RawBuilder<string>;
  details: RuleEventDetails | RawBuilder<unknown>;
  from?: RawBuilder<unknown>;
}

const isOutside = (type: string): boolean => type === 'requester' || type === 'participant';

function detailsOf({ event, body }: WebhookPart): RuleEventDetails {
  if (event === 'ticket_updated') return { changed: Object.keys(body.changes) };
  if (event === 'ticket_replied') return { from: isOutside(body.reply.author.type) ? 'customer' : 'team' };
  return {};
}

/** A visitor's activity on the site, for rules: it concerns their open chat. Nothing if they have none. */
export const ofOpenChat = (
  siteId: Given<number>,
  visitor: RawBuilder<unknown>,
  { event, details, also = sql`` }: Pick<Triggering, 'event' | 'details'> & { also?: RawBuilder<unknown> },
): Triggering => ({
  event,
  details,
  ticketId: null,
  sessionId: sql`chat.session_id`,
  from: sql`from ${also} lateral (
      select session_id from conversations
      where site_id = ${siteId} and visitor_id = ${visitor} and status <> 'closed' and spam_at is null
      order by id desc limit 1) chat`,
});

/** Events of several chats at once, by their session ids. */
export const ofChats = (event: RuleEvent, sessionIds: readonly string[]): Triggering => ({
  event,
  details: {},
  ticketId: null,
  sessionId: sql`chat.session_id`,
  from: sql`from unnest(${sessionIds}::text[]) chat (session_id)`,
});

/** The event that rules see in a change; undefined if it triggers none. */
export function triggeringOf(siteId: number, part: WebhookPart): Triggering | undefined {
  const { event, body } = part;
  // Messages are recorded by the statement that stores them.
  if (!isRuleEvent(event) || event === 'message_created') return undefined;
  if (event === 'visitor_identified') {
    const visitor = sql`(select id from visitors where site_id = ${siteId} and key = ${part.body.visitor.key})`;
    return ofOpenChat(siteId, visitor, { event, details: {} });
  }
  const ticketId = 'ticket_id' in body ? body.ticket_id : null;
  const sessionId = ticketId === null && 'session_id' in body ? body.session_id : null;
  return { event, ticketId, sessionId, details: detailsOf(part) };
}

/** A condition: the site has an enabled rule for this event. */
const isLookedAt = (siteId: Given<number>, event: RuleEvent): RawBuilder<boolean> => sql`exists (
      select from rules where site_id = ${siteId} and enabled_at is not null and ${sql.lit(event)} = any (events))`;

/** Where and when a change happened, and the rules that led to it. */
interface Happened {
  siteId: Given<number>;
  now: Given<Date>;
  cause?: { readonly [K in keyof RuleCause]: Given<RuleCause[K]> } | undefined;
}

/**
 * An insert that records a change for the rules of a site, as a part of the statement that makes it. Inserts nothing if
 * no enabled rule is for such an event, which costs one index lookup.
 * @param from the rows that the statement has changed; without any, nothing is recorded
 */
export const recordForRules = (
  { siteId, now, cause }: Happened,
  { event, ticketId, sessionId, details, from: own = sql`` }: Triggering,
  { from = own, unless = sql`false` }: { from?: RawBuilder<unknown>; unless?: RawBuilder<boolean> } = {},
): RawBuilder<unknown> => {
  const chain = cause?.chain ?? [];
  return sql`
    insert into rule_events (site_id, event, ticket_id, session_id, details, chain, cause_id, created_at)
    select ${siteId}::bigint, ${sql.lit(event)}, ${ticketId}::bigint, ${sessionId}::text,
      ${isExpression(details) ? details : sql`${JSON.stringify(details)}::jsonb`},
      ${isExpression(chain) ? chain : [...chain]}::bigint[], ${cause?.eventId ?? null}::bigint, ${now}::timestamptz ${from}
    where ${isLookedAt(siteId, event)} and not ${unless}`;
};

/** The part of a context that `triggerRules` needs. */
interface Triggered {
  readonly db: Db;
  readonly site: { readonly id: number };
  readonly cause: RuleCause | undefined;
  now(): Date;
}

/** Records a change for the rules of a site in a statement of its own, in the caller's transaction. */
export async function triggerRules(tx: Triggered, triggering: Triggering): Promise<void> {
  await recordForRules({ siteId: tx.site.id, now: tx.now(), cause: tx.cause }, triggering).execute(tx.db);
}
