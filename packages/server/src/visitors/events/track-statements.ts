import { type RawBuilder, sql } from 'kysely';
import { ofOpenChat, recordForRules } from '../../core/rules/rule-events.ts';
import { prepared } from '../../db/prepared.ts';
import { executeGrouped } from '../../db/transactions/group-commit.ts';
import type { VisitorScope } from '../rows.ts';
import type { CompiledSegment, SiteRules } from '../segments/cache.ts';
import { joinNeeds, needsBefore, reachedAfter, reachedOf, reachedTimes } from '../segments/needs.ts';
import { applyVerdicts, judge, lookUp, type Settled } from '../segments/settle.ts';

export interface Happening {
  name: string;
  properties?: Record<string, unknown> | undefined;
  occurredAt: Date;
  /** Created by the sender. An event with the same id is not stored again. */
  clientId?: string;
}

interface Appended {
  /** The version of the site's rules. If it differs from the requested one, nothing was stored. */
  version: string | null;
  /** Null if nothing was stored, also because no visitor has this key. */
  eventId: number | null;
}

/**
 * Updates the visitor's row and inserts the event in one statement, if the site's rules still have that version. A
 * statement that waits for the row continues with an older snapshot, which is why a changed rule is applied to
 * existing visitors only after everything that started before has ended (segments/fill.ts).
 */
const append = (
  { siteId, now }: VisitorScope,
  key: string,
  { name, properties, occurredAt }: Happening,
  version: string | null,
  returned: RawBuilder<unknown>,
) => sql`
  current as (select segments_version as version from sites where id = ${siteId}),
  visitor as (
    update visitors set event_count = event_count + 1, last_seen_at = greatest(last_seen_at, ${now})
    where site_id = ${siteId} and key = ${key} and erased_at is null
      and (select version from current) is not distinct from ${version}
    returning ${returned}
  ), event as (
    insert into visitor_events (site_id, visitor_id, name, properties, occurred_at, created_at)
    select ${siteId}, id, ${name}, ${JSON.stringify(properties ?? {})}::jsonb, ${occurredAt}, ${now} from visitor
    returning id
  ), for_rules as (
    ${recordForRules(
      { siteId, now },
      ofOpenChat(siteId, sql`visitor.id`, {
        ...{ event: 'event_tracked', details: { name } },
        also: sql`visitor,`,
      }),
    )}
  )`;

/** Appends an event that can't change the visitor's segments: one statement, its own transaction. */
export async function appendAtOnce(
  scope: VisitorScope,
  key: string,
  happening: Happening,
  version: string | null,
): Promise<Appended> {
  const statement = sql<Appended>`${prepared}
    with ${append(scope, key, happening, version, sql`id`)}
    select version, (select id from event) as "eventId" from current`;
  const { rows } = await executeGrouped(statement, scope.db);
  return rows[0] ?? { version: null, eventId: null };
}

interface Seen extends Appended, Settled {
  event_count: number;
  /** According to the statement's snapshot. */
  known_count: number | null;
  times: (Date | null)[];
}

const RETURNED = sql`id, key, email, name, attributes, first_seen_at, last_seen_at, event_count, segment_ids, segments_due_at`;

/** Appends the event and evaluates the affected segments, in the caller's transaction. */
export async function appendAndJudge(
  scope: VisitorScope,
  key: string,
  happening: Happening,
  { rules, concerned }: { rules: SiteRules; concerned: readonly CompiledSegment[] },
): Promise<Appended> {
  const { siteId, now, db } = scope;
  const needs = joinNeeds(concerned.map((segment) => segment.needs));
  const before = needsBefore(needs, happening.name);
  const { rows } = await sql<Seen>`${prepared}
    with ${append(scope, key, happening, rules.version, RETURNED)},
    known as (
      select id, event_count from visitors where site_id = ${siteId} and key = ${key} and erased_at is null
    )
    select current.version, event.id as "eventId", visitor.*, known.event_count as known_count,
      ${reachedTimes(siteId, sql`known.id`, before)} as times
    from current left join visitor on true left join event on true left join known on true`.execute(db);
  const [seen] = rows;
  if (seen?.eventId === null || seen === undefined) return { version: seen?.version ?? null, eventId: null };
  // Another event of the visitor was committed while this statement waited for the row, so its snapshot lacks it.
  const isOld = seen.known_count === null || seen.known_count + 1 !== seen.event_count;
  const reached = isOld
    ? (await lookUp(db, siteId, seen.id, needs)).reached
    : reachedAfter(reachedOf(before, seen.times), happening.name, happening.occurredAt);
  await applyVerdicts(scope, seen, judge(concerned, seen, { visitor: seen, now, reached }), false);
  return seen;
}
