import { type Kysely, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/tables.generated.ts';

/** A subscription's queue. Only the worker that holds its lane sends its deliveries. */
export interface LaneKey {
  siteId: number;
  subscriptionId: number;
}

export interface DueDelivery extends LaneKey {
  id: number;
  deliveryId: string;
  event: string;
  body: Buffer;
  url: string;
  secretCipher: Buffer;
  /** Null unless the secret was rotated less than 24 hours ago. */
  previousSecretCipher: Buffer | null;
  attemptsMade: number;
  attemptsBefore: number;
  /** Of the request that caused it; null unless that was traced. */
  traceparent: string | null;
}

export interface LeaseOptions {
  worker: string;
  leaseMs: number;
}

interface Look {
  /** This worker's lanes, new or kept, that have something due. */
  lanes: LaneKey[];
  /** When the next delivery becomes due; null without one. */
  nextDue: Date | null;
}

interface LookRow {
  site_id: number | null;
  subscription_id: number | null;
  next_due: Date | null;
}

/**
 * Steps from lane to lane along the queue's index, each at its earliest delivery; a plain `distinct` would read the
 * whole backlog each time. Takes up to `limit` free lanes, the longest waiting first. Leases use the database's
 * clock, so that nodes with different clocks agree.
 */
const look = ({
  worker,
  leaseMs,
  now,
  limit,
}: LeaseOptions & { now: Date; limit: number }) => sql<LookRow>`${prepared}
  with recursive step as (
    (select site_id, subscription_id, next_attempt_at from webhook_queue
     order by site_id, subscription_id, next_attempt_at limit 1)
    union all
    select next.* from step cross join lateral (
      select site_id, subscription_id, next_attempt_at from webhook_queue
      where (site_id, subscription_id) > (step.site_id, step.subscription_id)
      order by site_id, subscription_id, next_attempt_at limit 1
    ) next
  ), waiting as (
    select step.* from step
    join webhook_subscriptions s on s.site_id = step.site_id and s.id = step.subscription_id
    where s.disabled_at is null
  ), free as materialized (
    select l.site_id, l.subscription_id from waiting w
    join webhook_leases l on l.site_id = w.site_id and l.subscription_id = w.subscription_id
    where w.next_attempt_at <= ${now}::timestamptz
      and (l.lease_until is null or l.lease_until < clock_timestamp())
    order by l.last_attempt_at nulls first
    limit ${limit}::int
    for no key update of l skip locked
  ), taken as (
    update webhook_leases l
    set leased_by = ${worker}::text, lease_until = clock_timestamp() + ${leaseMs}::int * interval '1 ms'
    from free where l.site_id = free.site_id and l.subscription_id = free.subscription_id
    returning l.site_id, l.subscription_id
  )
  select site_id, subscription_id, null::timestamptz as next_due from taken
  union
  select w.site_id, w.subscription_id, null from waiting w
  join webhook_leases l on l.site_id = w.site_id and l.subscription_id = w.subscription_id
  where w.next_attempt_at <= ${now}::timestamptz and l.leased_by = ${worker}::text
    and l.lease_until >= clock_timestamp()
  union all
  select null, null, min(next_attempt_at) from waiting where next_attempt_at > ${now}::timestamptz`;

/** Leases up to `limit` free lanes for this worker, and returns those it already holds, too. */
export async function lookForLanes(
  db: Kysely<Tables>,
  options: LeaseOptions & { now: Date; limit: number },
): Promise<Look> {
  const { rows } = await look(options).execute(db);
  const lanes = rows.flatMap(({ site_id, subscription_id }) =>
    site_id === null || subscription_id === null
      ? []
      : [{ siteId: site_id, subscriptionId: subscription_id }],
  );
  return { lanes, nextDue: rows.find(({ site_id }) => site_id === null)?.next_due ?? null };
}

/** How many more deliveries a lane can hold. */
export interface Capacity extends LaneKey {
  /** How many more it may hold. */
  room: number;
  /** The ids of the deliveries it already holds. */
  held: readonly number[];
}

/** The due deliveries of this worker's lanes, oldest first per lane, without those it already has. */
export async function takeDue(
  db: Kysely<Tables>,
  worker: string,
  now: Date,
  capacities: readonly Capacity[],
): Promise<DueDelivery[]> {
  const lanes = JSON.stringify(
    capacities.map(({ siteId, subscriptionId, room }) => ({ site_id: siteId, id: subscriptionId, room })),
  );
  // Ids are unique across sites, so they are combined into one list and looked up by hash.
  const held = capacities.flatMap((lane) => lane.held);
  const { rows } = await sql<DueDelivery>`${prepared}
    select s.site_id as "siteId", s.id as "subscriptionId", d.id, d.delivery_id as "deliveryId",
      q.attempts_made as "attemptsMade", q.attempts_before as "attemptsBefore", q.traceparent, e.event, e.body, s.url,
      s.secret_cipher as "secretCipher",
      case when s.previous_secret_until > ${now}::timestamptz then s.previous_secret_cipher end
        as "previousSecretCipher"
    from jsonb_to_recordset(${lanes}::jsonb) as h (site_id bigint, id bigint, room integer)
    join webhook_subscriptions s on s.site_id = h.site_id and s.id = h.id and s.disabled_at is null
    join webhook_leases l on l.site_id = h.site_id and l.subscription_id = h.id and l.leased_by = ${worker}::text
    cross join lateral (
      select delivery_id, attempts_made, attempts_before, next_attempt_at, traceparent from webhook_queue
      where site_id = h.site_id and subscription_id = h.id and next_attempt_at <= ${now}::timestamptz
        and delivery_id not in (select unnest(${held}::bigint[]))
      order by next_attempt_at, delivery_id
      limit h.room
    ) q
    -- One by one: joins would read all of the site's log where they expect many lanes.
    cross join lateral (
      select id, delivery_id, event_id from webhook_deliveries
      where site_id = h.site_id and id = q.delivery_id offset 0
    ) d
    cross join lateral (
      select event, body from webhook_events where site_id = h.site_id and id = d.event_id offset 0
    ) e
    order by q.next_attempt_at, q.delivery_id`.execute(db);
  return rows;
}

const keys = (lanes: readonly LaneKey[]) => sql`
  jsonb_to_recordset(${JSON.stringify(
    lanes.map(({ siteId, subscriptionId }) => ({ site_id: siteId, id: subscriptionId })),
  )}::jsonb) as k (site_id bigint, id bigint)`;

/** Extends leases. @returns the lanes that are still this worker's. */
export async function renewLanes(
  db: Kysely<Tables>,
  { worker, leaseMs }: LeaseOptions,
  lanes: readonly LaneKey[],
): Promise<LaneKey[]> {
  const { rows } = await sql<LaneKey>`
    update webhook_leases l set lease_until = clock_timestamp() + ${leaseMs}::int * interval '1 ms'
    from ${keys(lanes)} where l.site_id = k.site_id and l.subscription_id = k.id and l.leased_by = ${worker}
    returning l.site_id as "siteId", l.subscription_id as "subscriptionId"`.execute(db);
  return rows;
}

/** Releases lanes: other workers can lease them at once. */
export async function releaseLanes(
  db: Kysely<Tables>,
  worker: string,
  lanes: readonly LaneKey[],
): Promise<void> {
  await sql`
    update webhook_leases l set leased_by = null, lease_until = null
    from ${keys(lanes)} where l.site_id = k.site_id and l.subscription_id = k.id and l.leased_by = ${worker}`.execute(
    db,
  );
}

/** Ends all leases of all workers, for a caller that knows that those workers are dead. */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('webhook_leases')
    .set({ leased_by: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute();
}
