import { type RawBuilder, sql } from 'kysely';
import { ofOpenChat, recordForRules } from '../../core/rules/rule-events.ts';
import { givenRows, rowStatement } from '../../db/given-rows.ts';
import { prepared } from '../../db/prepared.ts';
import { executeForRow } from '../../db/transactions/group-commit.ts';
import type { VisitorScope } from '../rows.ts';
import type { CompiledSegment, SiteRules } from '../segments/cache.ts';
import { joinNeeds, needsBefore, reachedAfter, reachedOf, reachedTimes } from '../segments/needs.ts';
import { applyVerdicts, isSettled, judge, lookUp, type Settled } from '../segments/settle.ts';

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

const GIVEN = {
  site: 'bigint',
  key: 'text',
  name: 'text',
  properties: 'jsonb',
  occurred_at: 'timestamptz',
  now: 'timestamptz',
  /** Of the site's rules, as the caller knows them. */
  version: 'uuid',
  /** The transaction that last changed the visitor, as the caller knows them. Null: any. */
  changed_by: 'text',
} as const;

const givenOf = (
  { siteId, now }: VisitorScope,
  key: string,
  { name, properties = {}, occurredAt }: Happening,
  version: string | null,
  changedBy: string | null = null,
): Record<keyof typeof GIVEN, unknown> => ({
  site: siteId,
  key,
  name,
  properties,
  occurred_at: occurredAt,
  now,
  version,
  changed_by: changedBy,
});

/**
 * Updates visitors' rows and inserts their events in one statement, if the rules of their sites still have that version.
 * A statement that waits for a row continues with an older snapshot, which is why a changed rule is applied to existing
 * visitors only after everything that started before has ended (segments/fill.ts).
 */
const append = (returned: RawBuilder<unknown>) => sql`
  ${givenRows(GIVEN)}, visitor as (
    update visitors v set event_count = v.event_count + 1, last_seen_at = greatest(v.last_seen_at, given.now)
    from given
    where v.site_id = given.site and v.key = given.key and v.erased_at is null
      and (select segments_version from sites where id = given.site) is not distinct from given.version
      and (given.changed_by is null or v.xmin::text = given.changed_by)
    returning v.site_id, given.n, given.name as event_name, given.properties, given.occurred_at, given.now, ${returned}
  ), event as (
    insert into visitor_events (site_id, visitor_id, name, properties, occurred_at, created_at)
    select site_id, id, event_name, properties, occurred_at, now from visitor
    returning site_id, visitor_id, id
  ), for_rules as (
    ${recordForRules(
      { siteId: sql`visitor.site_id`, now: sql`visitor.now` },
      ofOpenChat(sql`visitor.site_id`, sql`visitor.id`, {
        ...{ event: 'event_tracked', details: sql`jsonb_build_object('name', visitor.event_name)` },
        also: sql`visitor,`,
      }),
    )}
  )`;

/** What was appended for each row. */
const appended = sql`
    from given
    left join sites s on s.id = given.site
    left join visitor on visitor.n = given.n
    left join event on event.site_id = visitor.site_id and event.visitor_id = visitor.id`;

const appendAlone = rowStatement(sql`${prepared}
    with ${append(sql`v.id`)}
    select given.n, s.segments_version as version, event.id as "eventId" ${appended}`);

/**
 * Appends an event that can't change the visitor's segments, in its own transaction, with others that arrive with it.
 * @param changedBy nothing is appended if another transaction has changed the visitor since
 */
export async function appendAtOnce(
  scope: VisitorScope,
  key: string,
  happening: Happening,
  version: string | null,
  changedBy?: string,
): Promise<Appended> {
  const given = givenOf(scope, key, happening, version, changedBy);
  const row = await executeForRow<Appended>(appendAlone, given, `${scope.siteId} ${key}`, scope.db);
  return row ?? { version: null, eventId: null };
}

interface Seen extends Appended, Settled {
  event_count: number;
  /** According to the statement's snapshot. */
  known_count: number | null;
  times: (Date | null)[];
}

const JUDGED = [
  'id',
  'key',
  'email',
  'name',
  'attributes',
  'first_seen_at',
  'last_seen_at',
  'event_count',
  'segment_ids',
  'segments_due_at',
] as const;
const judgedOf = (table: string): RawBuilder<unknown> =>
  sql.raw(JUDGED.map((column) => `${table}.${column}`).join(', '));

interface Known extends Settled {
  changed_by: string;
  times: (Date | null)[];
}

/** Of the segments that an event concerns. */
interface Rules {
  rules: SiteRules;
  concerned: readonly CompiledSegment[];
}

/**
 * Appends an event that leaves the visitor's segments as they are, which most do. They are judged first, without a lock.
 * @returns undefined, and nothing is appended, if it changes one, or if anything has changed meanwhile
 */
export async function appendIfSettled(
  scope: VisitorScope,
  key: string,
  happening: Happening,
  { rules, concerned }: Rules,
): Promise<Appended | undefined> {
  const { siteId, now, db } = scope;
  const before = needsBefore(joinNeeds(concerned.map((segment) => segment.needs)), happening.name);
  const { rows } = await sql<Known>`${prepared}
    select v.xmin::text as changed_by, ${judgedOf('v')}, ${reachedTimes(sql`v.site_id`, sql`v.id`, before)} as times
    from visitors v where v.site_id = ${siteId} and v.key = ${key} and v.erased_at is null`.execute(db);
  const [known] = rows;
  if (!known) return undefined;
  const visitor = { ...known, last_seen_at: known.last_seen_at > now ? known.last_seen_at : now };
  const reached = reachedAfter(reachedOf(before, known.times), happening.name, happening.occurredAt);
  if (!isSettled(visitor, judge(concerned, visitor, { visitor, now, reached }), false)) return undefined;
  const appended = await appendAtOnce(scope, key, happening, rules.version, known.changed_by);
  return appended.eventId === null ? undefined : appended;
}

/** Appends the event and evaluates the affected segments, in the caller's transaction. */
export async function appendAndJudge(
  scope: VisitorScope,
  key: string,
  happening: Happening,
  { rules, concerned }: Rules,
): Promise<Appended> {
  const { siteId, now, db } = scope;
  const needs = joinNeeds(concerned.map((segment) => segment.needs));
  const before = needsBefore(needs, happening.name);
  const statement = rowStatement(sql`${prepared}
    with ${append(judgedOf('v'))},
    known as (
      select v.site_id, v.id, v.event_count
      from given join visitors v on v.site_id = given.site and v.key = given.key and v.erased_at is null
    )
    select s.segments_version as version, event.id as "eventId", ${judgedOf('visitor')}, known.event_count as known_count,
      ${reachedTimes(sql`known.site_id`, sql`known.id`, before)} as times
    ${appended} left join known on true`);
  const seen = await executeForRow<Seen>(statement, givenOf(scope, key, happening, rules.version), key, db);
  if (seen?.eventId === null || seen === undefined) return { version: seen?.version ?? null, eventId: null };
  // Another event of the visitor was committed while this statement waited for the row, so its snapshot lacks it.
  const isOld = seen.known_count === null || seen.known_count + 1 !== seen.event_count;
  const reached = isOld
    ? (await lookUp(db, siteId, seen.id, needs)).reached
    : reachedAfter(reachedOf(before, seen.times), happening.name, happening.occurredAt);
  await applyVerdicts(scope, seen, judge(concerned, seen, { visitor: seen, now, reached }), false);
  return seen;
}
