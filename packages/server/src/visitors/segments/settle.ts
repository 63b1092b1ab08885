import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { VisitorRow, VisitorScope } from '../rows.ts';
import {
  affected,
  type CompiledSegment,
  knownRules,
  readRules,
  type SiteRules,
  type Touched,
} from './cache.ts';
import { joinNeeds, reachedOf, reachedTimes } from './needs.ts';
import { evaluate, type Facts, type Judged, type Need, nextChange, type Reached } from './rules.ts';

/** A visitor's row, read under a lock that the caller holds. */
export type Settled = Judged & Pick<VisitorRow, 'id' | 'segment_ids' | 'segments_due_at'>;

const unknown: Reached = () => undefined;

/** The events to look up because the visitor's own fields don't decide. */
function openNeeds(segments: readonly CompiledSegment[], visitor: Judged, now: Date): Need[] {
  const facts: Facts = { visitor, now, reached: unknown };
  return joinNeeds(
    segments
      .filter(({ needs, rule }) => needs.length > 0 && evaluate(rule, facts) === undefined)
      .map(({ needs }) => needs),
  );
}

interface Verdicts {
  entered: CompiledSegment[];
  left: CompiledSegment[];
  /** When time alone may change one of them; undefined for never. */
  due: Date | undefined;
}

/** Changes nothing: `applyVerdicts` writes. A rule whose events were not looked up counts as not fulfilled. */
export function judge(segments: readonly CompiledSegment[], visitor: Settled, facts: Facts): Verdicts {
  const verdicts: Verdicts = { entered: [], left: [], due: undefined };
  const members = new Set(visitor.segment_ids);
  for (const segment of segments) {
    const holds = evaluate(segment.rule, facts) === true;
    if (holds && !members.has(segment.id)) verdicts.entered.push(segment);
    if (!holds && members.has(segment.id)) verdicts.left.push(segment);
    const due = nextChange(segment.rule, facts);
    if (due && (!verdicts.due || due < verdicts.due)) verdicts.due = due;
  }
  return verdicts;
}

/**
 * A time later than the stored one isn't written: the visitor is then evaluated once too often, and gets the right
 * time.
 */
function dueAfter(stored: Date | null, due: Date | undefined, exact: boolean): Date | null {
  if (exact || stored === null) return due ?? null;
  return due && due < stored ? due : stored;
}

/** Whether the visitor's row and memberships already are as the verdicts want them. */
export const isSettled = (
  { segments_due_at }: Settled,
  { entered, left, due }: Verdicts,
  exact: boolean,
): boolean =>
  entered.length + left.length === 0 &&
  dueAfter(segments_due_at, due, exact)?.getTime() === segments_due_at?.getTime();

/**
 * Applies the verdicts to the visitor's memberships, in the transaction of the change that caused them, and emits
 * those that changed.
 * @param exact all segments were judged, so that the due time is exact and not only a bound.
 * @returns the segments that the visitor is in now.
 */
export async function applyVerdicts(
  scope: VisitorScope,
  visitor: Settled,
  verdicts: Verdicts,
  exact: boolean,
): Promise<number[]> {
  if (isSettled(visitor, verdicts, exact)) return visitor.segment_ids;
  const { entered, left, due } = verdicts;
  const ids = (segments: readonly CompiledSegment[]): number[] => segments.map(({ id }) => id);
  const goneIds = ids(left);
  const dueAt = dueAfter(visitor.segments_due_at, due, exact);
  const kept = visitor.segment_ids.filter((id) => !goneIds.includes(id));
  const now = [...kept, ...ids(entered)];
  await sql`
    with entered as (
      insert into segment_members (site_id, segment_id, visitor_id, entered_at)
      select ${scope.siteId}, id, ${visitor.id}, ${scope.now} from unnest(${ids(entered)}::bigint[]) as id
      on conflict do nothing returning segment_id
    ), gone as (
      delete from segment_members
      where site_id = ${scope.siteId} and visitor_id = ${visitor.id} and segment_id = any (${goneIds}::bigint[])
      returning segment_id
    ), counted as (
      insert into segment_deltas (site_id, segment_id, delta)
      select ${scope.siteId}, segment_id, delta
      from (select segment_id, 1 as delta from entered union all select segment_id, -1 from gone) as changes
    )
    update visitors set segment_ids = ${now}::bigint[], segments_due_at = ${dueAt}
    where site_id = ${scope.siteId} and id = ${visitor.id}`.execute(scope.db);
  await tell(scope, visitor, 'segment_entered', entered);
  await tell(scope, visitor, 'segment_left', left);
  return now;
}

async function tell(
  scope: VisitorScope,
  { key, name, email }: Judged,
  event: 'segment_entered' | 'segment_left',
  segments: readonly CompiledSegment[],
): Promise<void> {
  for (const segment of segments) {
    if (!segment.ready) continue;
    const body = { visitor: { key, name, email }, segment: { id: segment.id, name: segment.name } };
    await scope.emit({ webhook: { event, body } });
  }
}

interface LookedUp {
  version: string | null;
  reached: Reached;
}

/** The events that rules need of a visitor, with the current version of the rules. */
export async function lookUp(
  db: Db,
  siteId: number,
  visitorId: number,
  needs: readonly Need[],
): Promise<LookedUp> {
  const { rows } = await sql<{
    version: string | null;
    times: (Date | null)[];
  }>`${needs.length === 0 ? prepared : sql``}
    select segments_version as version, ${reachedTimes(siteId, sql`${visitorId}`, needs)} as times
    from sites where id = ${siteId}`.execute(db);
  const [row] = rows;
  return { version: row?.version ?? null, reached: reachedOf(needs, row?.times ?? []) };
}

/**
 * Evaluates the visitor again by the rules that read the touched data. The caller's transaction has locked the row and
 * written the change.
 * @returns the segments that the visitor is in now.
 */
export async function settle(scope: VisitorScope, visitor: Settled, touched: Touched): Promise<number[]> {
  const { db, siteId, now } = scope;
  let rules: SiteRules = await knownRules(db, siteId);
  for (;;) {
    const segments = affected(rules.segments, touched);
    const needs = openNeeds(segments, visitor, now);
    const { version, reached } = await lookUp(db, siteId, visitor.id, needs);
    if (version === rules.version) {
      const verdicts = judge(segments, visitor, { visitor, now, reached });
      return applyVerdicts(scope, visitor, verdicts, touched === 'everything');
    }
    rules = await readRules(db, siteId);
  }
}

/** The same for new visitors. A site without segments is checked once for all of them. */
export async function settleNew(scope: VisitorScope, visitors: readonly Settled[]): Promise<void> {
  const { db, siteId } = scope;
  const { segments, version: known } = await knownRules(db, siteId);
  if (segments.length === 0 && (await lookUp(db, siteId, 0, [])).version === known) return;
  for (const visitor of visitors) await settle(scope, visitor, 'everything');
}

/** Removes an erased visitor from its segments without emitting anything; the caller empties the row. */
export async function leaveAll({ db, siteId }: VisitorScope, visitorId: number): Promise<void> {
  await sql`
    with gone as (
      delete from segment_members where site_id = ${siteId} and visitor_id = ${visitorId} returning segment_id
    )
    insert into segment_deltas (site_id, segment_id, delta) select ${siteId}, segment_id, -1 from gone`.execute(
    db,
  );
}
