import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** In flight to one subscription, over all workers (decisions 5). */
export const IN_FLIGHT_PER_SUBSCRIPTION = 4;

export interface ClaimedDelivery {
  siteId: number;
  id: number;
  deliveryId: string;
  subscriptionId: number;
  event: string;
  body: Buffer;
  url: string;
  secretCipher: Buffer;
  /** Null unless a rotation's overlap is under way. */
  previousSecretCipher: Buffer | null;
  attemptsMade: number;
  attemptsBefore: number;
}

export interface ClaimOptions {
  worker: string;
  now: Date;
  leaseMs: number;
  limit: number;
}

const inFlight = sql`(
  select count(*) from webhook_deliveries f
  where f.site_id = s.site_id and f.subscription_id = s.id and f.lease_until >= clock_timestamp()
)`;

/**
 * Subscriptions that have something due and room for it, who has waited longest first, locked until the claim's commit
 * so that two workers do not count the same room. The recursion steps from subscription to subscription over the
 * index; a plain `distinct` would read a whole backlog each time.
 */
const lockLanes = ({ now, limit }: ClaimOptions) => sql<{ site_id: number; id: number }>`
  with recursive lane as (
    (select site_id, subscription_id from webhook_deliveries where next_attempt_at is not null
     order by site_id, subscription_id limit 1)
    union all
    select next.* from lane cross join lateral (
      select site_id, subscription_id from webhook_deliveries
      where next_attempt_at is not null and (site_id, subscription_id) > (lane.site_id, lane.subscription_id)
      order by site_id, subscription_id limit 1
    ) next
  )
  select s.site_id, s.id from lane
  join webhook_subscriptions s on s.site_id = lane.site_id and s.id = lane.subscription_id
  where s.disabled_at is null
    and exists (
      select from webhook_deliveries d
      where d.site_id = s.site_id and d.subscription_id = s.id and d.next_attempt_at <= ${now}
        and (d.lease_until is null or d.lease_until < clock_timestamp())
    )
    and ${inFlight} < ${IN_FLIGHT_PER_SUBSCRIPTION}::int
  order by s.last_delivery_at nulls first
  limit ${limit}
  for no key update of s skip locked`;

/** A statement of its own: it must see what others claimed before the lanes were locked. */
const leaseDeliveries = (
  lanes: { site_id: number; id: number }[],
  options: ClaimOptions,
) => sql<ClaimedDelivery>`
  with lane as (
    select * from jsonb_to_recordset(${JSON.stringify(lanes)}::jsonb) as l (site_id bigint, id bigint)
  ), due as materialized (
    select d.site_id, d.id from lane
    join webhook_subscriptions s on s.site_id = lane.site_id and s.id = lane.id
    cross join lateral (
      select site_id, id from webhook_deliveries
      where site_id = s.site_id and subscription_id = s.id and next_attempt_at <= ${options.now}
        and (lease_until is null or lease_until < clock_timestamp())
      order by next_attempt_at, id
      limit greatest(0, ${IN_FLIGHT_PER_SUBSCRIPTION}::int - ${inFlight})
      for update skip locked
    ) d
    limit ${options.limit}
  ), leased as (
    update webhook_deliveries d
    set leased_by = ${options.worker}, lease_until = clock_timestamp() + ${options.leaseMs} * interval '1 ms'
    from due where d.site_id = due.site_id and d.id = due.id
    returning d.*
  ), served as (
    update webhook_subscriptions s set last_delivery_at = ${options.now}
    from (select distinct site_id, subscription_id from leased) l
    where s.site_id = l.site_id and s.id = l.subscription_id
  )
  select d.site_id as "siteId", d.id, d.delivery_id as "deliveryId", d.subscription_id as "subscriptionId",
    d.attempts_made as "attemptsMade", d.attempts_before as "attemptsBefore", e.event, e.body, s.url,
    s.secret_cipher as "secretCipher",
    case when s.previous_secret_until > ${options.now} then s.previous_secret_cipher end as "previousSecretCipher"
  from leased d
  join webhook_events e on e.site_id = d.site_id and e.id = d.event_id
  join webhook_subscriptions s on s.site_id = d.site_id and s.id = d.subscription_id
  order by d.next_attempt_at, d.id`;

/**
 * Takes up to `limit` due deliveries for one worker, until its lease ends. Leases go by the database's clock, so that
 * nodes whose clocks differ agree on them. A lost claim costs nothing, so it does not wait for the disk.
 */
export async function claimDeliveries(db: Kysely<Tables>, options: ClaimOptions): Promise<ClaimedDelivery[]> {
  return db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx);
    const lanes = await lockLanes(options).execute(tx);
    if (lanes.rows.length === 0) return [];
    return (await leaseDeliveries(lanes.rows, options).execute(tx)).rows;
  });
}

/** When the next delivery that isn't due yet will be. */
export async function nextDue(db: Kysely<Tables>, now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at')
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at ?? undefined;
}

export type DeliveryKey = Pick<ClaimedDelivery, 'siteId' | 'id'>;

const keys = (held: readonly DeliveryKey[]) => sql`
  jsonb_to_recordset(${JSON.stringify(held.map(({ siteId, id }) => ({ site_id: siteId, id })))}::jsonb)
    as k (site_id bigint, id bigint)`;

export async function renewLeases(
  db: Kysely<Tables>,
  { worker, leaseMs }: Pick<ClaimOptions, 'worker' | 'leaseMs'>,
  held: readonly DeliveryKey[],
): Promise<void> {
  await sql`
    update webhook_deliveries d set lease_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    from ${keys(held)} where d.site_id = k.site_id and d.id = k.id and d.leased_by = ${worker}`.execute(db);
}

/** Ends all leases, of whoever: for a caller that knows that their holders are gone. */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ leased_by: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute();
}

/** Gives back what was not sent, or whose outcome is unknown: others may take it at once. */
export async function releaseLeases(
  db: Kysely<Tables>,
  worker: string,
  held: readonly DeliveryKey[],
): Promise<void> {
  await sql`
    update webhook_deliveries d set leased_by = null, lease_until = null
    from ${keys(held)} where d.site_id = k.site_id and d.id = k.id and d.leased_by = ${worker}`.execute(db);
}
