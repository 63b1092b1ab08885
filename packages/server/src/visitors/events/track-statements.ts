import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { VisitorScope } from '../rows.ts';
import type { CompiledSegment, SiteRules } from '../segments/cache.ts';
import { joinNeeds, needsBefore, reachedAfter, reachedOf, reachedTimes } from '../segments/needs.ts';
import { applyVerdicts, judge, lookUp, type Settled } from '../segments/settle.ts';

export interface Happening {
  name: string;
  properties?: Record<string, unknown> | undefined;
  occurredAt: Date;
  /** Made by the sender: the same once more is not stored again. */
  clientId?: string;
}

interface Appended {
  /** Of the site's rules; where it is not the one that was asked for, nothing was done. */
  version: string | null;
  /** Null when nothing was done, also because the key has no visitor. */
  eventId: number | null;
}

/**
 * The visitor's row and its event in one statement, which holds only while the site's rules are at that version. Who
 * waits here for the row goes on with an older snapshot; that is why a changed rule is applied to the visitors that
 * there are only when all that had begun before is over (segment-fill.ts).
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
  )`;

/** Appends the event of a visitor where no segment can change by it: one statement, a transaction of its own. */
export async function appendAtOnce(
  scope: VisitorScope,
  key: string,
  happening: Happening,
  version: string | null,
): Promise<Appended> {
  const { rows } = await sql<Appended>`${prepared}
    with ${append(scope, key, happening, version, sql`id`)}
    select version, (select id from event) as "eventId" from current`.execute(scope.db);
  return rows[0] ?? { version: null, eventId: null };
}

interface Seen extends Appended, Settled {
  event_count: number;
  /** As the statement's snapshot has it. */
  known_count: number | null;
  times: (Date | null)[];
}

const RETURNED = sql`id, key, email, name, attributes, first_seen_at, last_seen_at, event_count, segment_ids, segments_due_at`;

/** Appends the event and judges the segments that it concerns, in the caller's transaction. */
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
  // Another event of the visitor was committed while this one waited for the row: the snapshot has missed it.
  const isOld = seen.known_count === null || seen.known_count + 1 !== seen.event_count;
  const reached = isOld
    ? (await lookUp(db, siteId, seen.id, needs)).reached
    : reachedAfter(reachedOf(before, seen.times), happening.name, happening.occurredAt);
  await applyVerdicts(scope, seen, judge(concerned, seen, { visitor: seen, now, reached }), false);
  return seen;
}
