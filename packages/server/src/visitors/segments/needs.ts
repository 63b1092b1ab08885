import { type RawBuilder, sql } from 'kysely';
import type { Given } from '../../db/given-rows.ts';
import type { Need, Reached } from './rules.ts';

const keyOf = (event: string, count: number): string => `${count} ${event}`;

/** All needs without duplicates, in one order. */
export function joinNeeds(lists: Iterable<readonly Need[]>): Need[] {
  const needs = new Map<string, Need>();
  for (const list of lists) for (const need of list) needs.set(keyOf(need.event, need.count), need);
  return [...needs.values()];
}

/** The answers to `needs`, in the same order. */
export function reachedOf(needs: readonly Need[], times: readonly (Date | null)[]): Reached {
  const found = new Map(needs.map(({ event, count }, at) => [keyOf(event, count), times[at] ?? null]));
  return (event, count) => found.get(keyOf(event, count));
}

/** The times as a list in SQL, with one index step each. */
export function reachedTimes(
  siteId: Given<number>,
  visitorId: RawBuilder<unknown>,
  needs: readonly Need[],
): RawBuilder<(Date | null)[]> {
  if (needs.length === 0) return sql`'{}'::timestamptz[]`;
  return sql`array(
    select (
      select occurred_at from visitor_events e
      where e.site_id = ${siteId} and e.visitor_id = ${visitorId} and e.name = need.event
      order by e.occurred_at desc offset need.count - 1 limit 1
    )
    from unnest(${needs.map(({ event }) => event)}::text[], ${needs.map(({ count }) => count)}::integer[])
      with ordinality as need (event, count, at)
    order by need.at
  )`;
}

/** The answers to `needs` before another event with this name, updated to include it. */
export function reachedAfter(before: Reached, name: string, occurredAt: Date): Reached {
  return (event, count) => {
    const at = before(event, count);
    if (event !== name || at === undefined) return at;
    const next = count === 1 ? occurredAt : before(event, count - 1);
    if (next === undefined) return undefined;
    const risen = next === null ? null : next < occurredAt ? next : occurredAt;
    return at !== null && (risen === null || risen < at) ? at : risen;
  };
}

/** The needs, plus those that `reachedAfter` requires. */
export const needsBefore = (needs: readonly Need[], name: string): Need[] =>
  joinNeeds([
    needs,
    needs.flatMap(({ event, count }) => (event === name && count > 1 ? [{ event, count: count - 1 }] : [])),
  ]);
