import { isRuleEvent, type RuleEvent } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { RuleEventDetails } from '../../db/column-types.ts';
import type { EmitScope, WebhookPart } from '../domain-event.ts';

/** A change as triggers of rules look at it. */
interface Triggering {
  event: RuleEvent;
  ticketId: number | null;
  sessionId: string | null;
  details: RuleEventDetails;
}

const isOutside = (type: string): boolean => type === 'requester' || type === 'participant';

function detailsOf({ event, body }: WebhookPart): RuleEventDetails {
  if (event === 'ticket_updated') return { changed: Object.keys(body.changes) };
  if (event === 'ticket_replied') return { from: isOutside(body.reply.author.type) ? 'customer' : 'team' };
  return {};
}

/** What rules can look at in a change; undefined for what triggers none. */
export function triggeringOf(part: WebhookPart): Triggering | undefined {
  const { event, body } = part;
  // Messages are recorded by the statement that stores them.
  if (!isRuleEvent(event) || event === 'message_created') return undefined;
  const ticketId = 'ticket_id' in body ? body.ticket_id : null;
  const sessionId = ticketId === null && 'session_id' in body ? body.session_id : null;
  return { event, ticketId, sessionId, details: detailsOf(part) };
}

/** A condition: an enabled rule of the site looks at this event. */
const isLookedAt = (siteId: number, event: RuleEvent): RawBuilder<boolean> => sql`exists (
      select from rules where site_id = ${siteId} and enabled_at is not null and ${event} = any (events))`;

/**
 * An insert that records a change for the rules of a site, for the statement that makes it. Inserts nothing if no
 * enabled rule looks at such an event, which costs one look into an index.
 * @param from of what the statement has changed; nothing is recorded without a row of it
 */
export const recordForRules = (
  { siteId, now, cause }: Pick<EmitScope, 'siteId' | 'now' | 'cause'>,
  { event, ticketId, sessionId, details }: Triggering,
  { from = sql``, unless = sql`false` }: { from?: RawBuilder<unknown>; unless?: RawBuilder<boolean> } = {},
): RawBuilder<unknown> => sql`
    insert into rule_events (site_id, event, ticket_id, session_id, details, chain, cause_id, created_at)
    select ${siteId}::bigint, ${event}::text, ${ticketId}::bigint, ${sessionId}::text, ${JSON.stringify(details)}::jsonb,
      ${[...(cause?.chain ?? [])]}::bigint[], ${cause?.eventId ?? null}::bigint, ${now}::timestamptz ${from}
    where ${isLookedAt(siteId, event)} and not ${unless}`;
