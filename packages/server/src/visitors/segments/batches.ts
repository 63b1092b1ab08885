import type { SegmentRule } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { reachedOf, reachedTimes } from './needs.ts';
import { evaluate, type Facts, type Need, needsOf, nextChange, type Reached } from './rules.ts';
import { nextRules } from './segments.ts';
import type { Settled } from './settle.ts';

/**
 * Visitors that are evaluated at once. Those whose membership changes are locked; changes of them wait for the batch.
 */
const BATCH = 500;

interface Filling {
  id: number;
  rule: SegmentRule;
  filled_to: number;
}

/** Locks the segment, so that two processes filling it take turns. */
async function lockFilling(
  { db, site }: SiteContext,
  id: number,
  filling: string,
): Promise<Filling | undefined> {
  const { rows } = await sql<Filling>`
    select id, rule, filled_to from segments
    where site_id = ${site.id} and id = ${id} and filling = ${filling} and filled_at is null and deleted_at is null
    for no key update`.execute(db);
  return rows[0];
}

/** The data for evaluating a visitor. */
export const SETTLED = sql`id, key, email, name, attributes, first_seen_at, last_seen_at, segment_ids, segments_due_at`;

/** Without locks: locking each of 500 visitors costs thirty times as much as reading them. */
async function readBatch({ db, site }: SiteContext, after: number): Promise<Settled[]> {
  const { rows } = await sql<Settled>`
    select ${SETTLED} from visitors where site_id = ${site.id} and id > ${after} and erased_at is null
    order by id limit ${BATCH}`.execute(db);
  return rows;
}

/** As they are now, by id, the order in which visitors are always locked. */
async function lockAgain({ db, site }: SiteContext, ids: readonly number[]): Promise<Settled[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Settled>`
    select ${SETTLED} from visitors where site_id = ${site.id} and id = any (${ids}::bigint[]) and erased_at is null
    order by id for no key update`.execute(db);
  return rows;
}

/** The events that the rule needs of visitors whose own fields don't decide. */
async function lookUpAll(
  { db, site }: SiteContext,
  visitors: readonly Settled[],
  needs: readonly Need[],
): Promise<Map<number, Reached>> {
  if (visitors.length === 0 || needs.length === 0) return new Map();
  const { rows } = await sql<{ id: number; times: (Date | null)[] }>`
    select v.id, ${reachedTimes(site.id, sql`v.id`, needs)} as times
    from unnest(${visitors.map(({ id }) => id)}::bigint[]) as v (id)`.execute(db);
  return new Map(rows.map(({ id, times }) => [id, reachedOf(needs, times)]));
}

interface Verdict {
  id: number;
  holds: boolean;
  due: Date | null;
}

/**
 * Looks up events only for visitors whose own fields don't decide, in one statement. `due` is null if time alone
 * can't change the verdict.
 */
export async function judgeBatch(
  tx: SiteContext,
  rule: SegmentRule,
  visitors: readonly Settled[],
): Promise<Verdict[]> {
  const now = tx.now();
  const unknown: Reached = () => undefined;
  const factsOf = (visitor: Settled, reached: Reached): Facts => ({ visitor, now, reached });
  const open = visitors.filter((visitor) => evaluate(rule, factsOf(visitor, unknown)) === undefined);
  const reached = await lookUpAll(tx, open, needsOf(rule));
  return visitors.map((visitor) => {
    const facts = factsOf(visitor, reached.get(visitor.id) ?? unknown);
    return { id: visitor.id, holds: evaluate(rule, facts) === true, due: nextChange(rule, facts) ?? null };
  });
}

interface Changes {
  /** Ids of visitors. */
  entered: number[];
  left: number[];
  due: Verdict[];
}

/** What the rule changes about these visitors. */
async function changesOf(
  tx: SiteContext,
  { id, rule }: Filling,
  visitors: readonly Settled[],
): Promise<Changes> {
  const verdicts = await judgeBatch(tx, rule, visitors);
  const was = new Map(visitors.map((visitor) => [visitor.id, visitor]));
  const isIn = (visitorId: number): boolean => was.get(visitorId)?.segment_ids.includes(id) === true;
  return {
    entered: verdicts.filter((one) => one.holds && !isIn(one.id)).map((one) => one.id),
    left: verdicts.filter((one) => !one.holds && isIn(one.id)).map((one) => one.id),
    due: verdicts.filter((one) => {
      const stored = was.get(one.id)?.segments_due_at;
      return one.due && (!stored || one.due < stored);
    }),
  };
}

/**
 * Locks those visitors that seem to change and evaluates them again. The others need no lock: a concurrent change of
 * one applies the new rule itself.
 */
async function writeBatch(tx: SiteContext, segment: Filling, visitors: readonly Settled[]): Promise<void> {
  const { db, site } = tx;
  const { id } = segment;
  const seen = await changesOf(tx, segment, visitors);
  const locked = await lockAgain(tx, [...seen.entered, ...seen.left, ...seen.due.map((one) => one.id)]);
  const { entered, left, due } = await changesOf(tx, segment, locked);
  await sql`
    with entered as (
      insert into segment_members (site_id, segment_id, visitor_id, entered_at)
      select ${site.id}, ${id}, visitor_id, ${tx.now()} from unnest(${entered}::bigint[]) as visitor_id
      on conflict do nothing returning 1
    ), gone as (
      delete from segment_members
      where site_id = ${site.id} and segment_id = ${id} and visitor_id = any (${left}::bigint[]) returning 1
    ), counted as (
      insert into segment_deltas (site_id, segment_id, delta)
      select ${site.id}, ${id}, delta
      from (select (select count(*) from entered) - (select count(*) from gone) as delta) as counts
      where delta <> 0
    )
    update segments set filled_to = ${visitors.at(-1)?.id ?? 0}, touched_at = ${tx.now()}
    where site_id = ${site.id} and id = ${id}`.execute(db);
  if (locked.length === 0) return;
  await sql`
    update visitors v set
      segments_due_at = coalesce(t.due, v.segments_due_at),
      segment_ids = case
        when v.id = any (${entered}::bigint[]) then v.segment_ids || ${id}::bigint
        when v.id = any (${left}::bigint[]) then array_remove(v.segment_ids, ${id}::bigint)
        else v.segment_ids end
    from (
      select id, max(due) as due from (
        select unnest(${[...entered, ...left]}::bigint[]) as id, null::timestamptz as due
        union all
        select * from unnest(${due.map((one) => one.id)}::bigint[], ${due.map((one) => one.due)}::timestamptz[])
      ) as changes (id, due) group by id
    ) as t
    where v.site_id = ${site.id} and v.id = t.id`.execute(db);
}

/**
 * Evaluates the next batch.
 * @returns whether there may be more; false if the rule has changed or the last visitor was reached.
 */
export async function fillBatch(tx: SiteContext, id: number, filling: string): Promise<boolean> {
  const segment = await lockFilling(tx, id, filling);
  if (!segment) return false;
  const visitors = await readBatch(tx, segment.filled_to);
  if (visitors.length > 0) {
    await writeBatch(tx, segment, visitors);
    return true;
  }
  await sql`
    update segments set filled_at = ${tx.now()} where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
  // From now on every process emits who enters and leaves.
  await nextRules(tx.db, tx.site.id);
  return false;
}

/** Removes members from a deleted segment, and finally the segment. @returns whether there may be more */
export async function removeBatch({ db, site }: SiteContext, id: number): Promise<boolean> {
  const { rows } = await sql<{ visitor_id: number }>`
    select visitor_id from segment_members where site_id = ${site.id} and segment_id = ${id}
    order by visitor_id limit ${BATCH}`.execute(db);
  const ids = rows.map((row) => row.visitor_id);
  if (ids.length === 0) {
    await sql`
      delete from segments where site_id = ${site.id} and id = ${id} and deleted_at is not null`.execute(db);
    return false;
  }
  await sql`
    select from visitors where site_id = ${site.id} and id = any (${ids}::bigint[])
    order by id for no key update`.execute(db);
  await sql`
    with gone as (
      delete from segment_members
      where site_id = ${site.id} and segment_id = ${id} and visitor_id = any (${ids}::bigint[])
    )
    update visitors set segment_ids = array_remove(segment_ids, ${id}::bigint)
    where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(db);
  return true;
}
