import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import { type Kysely, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/tables.generated.ts';
import type { Exchange } from '../../net/sender.ts';
import type { DueDelivery } from './lane-leases.ts';
import type { Outcome } from './schedule.ts';
import type { Signatures } from './signature.ts';

export interface AttemptRecord {
  delivery: DueDelivery;
  /** When the attempt began. */
  at: Date;
  endedAt: Date;
  exchange: Exchange;
  outcome: Outcome;
  /** Null if the secret couldn't be read, so that nothing was sent. */
  signatures: Signatures | null;
}

/** Nulls are omitted, which makes the database parse it faster. */
const rowOf = ({ delivery, at, endedAt, exchange, outcome, signatures }: AttemptRecord) => ({
  site_id: delivery.siteId,
  id: delivery.id,
  subscription_id: delivery.subscriptionId,
  number: delivery.attemptsMade + 1,
  at,
  status_code: exchange.statusCode ?? undefined,
  duration_ms: exchange.durationMs,
  error: exchange.error ?? undefined,
  response_excerpt: exchange.excerpt ?? undefined,
  signature: signatures?.service,
  signature_previous: signatures?.previous ?? undefined,
  standard_signature: signatures?.standard,
  next_attempt_at: outcome.state === 'retry' ? outcome.at : undefined,
  dead_at: outcome.state === 'dead' ? endedAt : undefined,
});

interface LaneRow {
  site_id: number;
  id: number;
  last_attempt_at: Date;
  /** Whether one of these attempts succeeded; then earlier failures don't count. */
  worked: boolean;
  /** The first failure after the last success. */
  failing_since: Date | null;
}

/** The result for each lane, in the order in which its attempts ended. */
function lanesOf(records: readonly AttemptRecord[]): LaneRow[] {
  const lanes = new Map<string, LaneRow>();
  for (const { delivery, at, exchange } of records) {
    const key = `${delivery.siteId}:${delivery.subscriptionId}`;
    const before = lanes.get(key);
    const worked = exchange.error === null;
    lanes.set(key, {
      site_id: delivery.siteId,
      id: delivery.subscriptionId,
      last_attempt_at: before && before.last_attempt_at > at ? before.last_attempt_at : at,
      worked: worked || (before?.worked ?? false),
      failing_since: worked ? null : (before?.failing_since ?? at),
    });
  }
  return [...lanes.values()];
}

/** Only for the address that answered: it may have been changed meanwhile. */
async function disableGone(db: Kysely<Tables>, { delivery, endedAt }: AttemptRecord): Promise<void> {
  await db
    .updateTable('webhook_subscriptions')
    .set({
      disabled_at: endedAt,
      disabled_reason: webhookSentence('gone'),
      updated_at: endedAt,
      disabled_notice_due_at: endedAt,
    })
    .where('site_id', '=', delivery.siteId)
    .where('id', '=', delivery.subscriptionId)
    .where('url', '=', delivery.url)
    .where('disabled_at', 'is', null)
    .execute();
}

/**
 * One statement, and so one transaction: first the lanes, which must still be this worker's; then their deliveries,
 * the log and the hourly counters. Lanes come before deliveries, in the same order as deleting a subscription.
 */
const write = (worker: string, lanes: string, rows: string) => sql<{ id: number }>`${prepared}
  with lane as (
    update webhook_leases l set last_attempt_at = greatest(l.last_attempt_at, r.last_attempt_at),
      failing_since = case when r.worked then r.failing_since else coalesce(l.failing_since, r.failing_since) end
    from json_to_recordset(${lanes}::json) as r (
      site_id bigint, id bigint, last_attempt_at timestamptz, worked boolean, failing_since timestamptz
    )
    where l.site_id = r.site_id and l.subscription_id = r.id and l.leased_by = ${worker}::text
    returning l.site_id, l.subscription_id
  ), result as (
    select r.* from json_to_recordset(${rows}::json) as r (
      site_id bigint, id bigint, subscription_id bigint, number integer, at timestamptz, status_code integer,
      duration_ms integer, error text, response_excerpt text, signature text, signature_previous text,
      standard_signature text, next_attempt_at timestamptz, dead_at timestamptz
    )
    join lane on lane.site_id = r.site_id and lane.subscription_id = r.subscription_id
  ), settled as (
    delete from webhook_queue q using result r
    where r.next_attempt_at is null and q.site_id = r.site_id and q.delivery_id = r.id
      and q.attempts_made = r.number - 1
    -- All of it: a join with what is returned would compare each with each.
    returning r.*
  ), postponed as (
    update webhook_queue q set attempts_made = r.number, next_attempt_at = r.next_attempt_at
    from result r
    where r.next_attempt_at is not null and q.site_id = r.site_id and q.delivery_id = r.id
      and q.attempts_made = r.number - 1
    returning r.*
  ), died as (
    update webhook_deliveries d set dead_at = r.dead_at
    from settled r where r.dead_at is not null and d.site_id = r.site_id and d.id = r.id
  ), moved as (
    select * from settled union all select * from postponed
  ), logged as (
    insert into webhook_attempts (site_id, delivery_id, number, at, status_code, duration_ms, error,
      response_excerpt, signature, signature_previous, standard_signature)
    select site_id, id, number, at, status_code, duration_ms, error, response_excerpt, signature,
      signature_previous, standard_signature
    from moved
  ), counted as (
    insert into webhook_hours as h (site_id, subscription_id, hour, succeeded, failed, duration_ms)
    select site_id, subscription_id, date_trunc('hour', at, 'UTC'), count(*) filter (where error is null),
      count(*) filter (where error is not null), sum(duration_ms)
    from moved group by 1, 2, 3
    on conflict (site_id, subscription_id, hour) do update set succeeded = h.succeeded + excluded.succeeded,
      failed = h.failed + excluded.failed, duration_ms = h.duration_ms + excluded.duration_ms
  )
  select id from moved`;

/**
 * Records attempts and their outcomes. Skips deliveries whose lane this worker has lost meanwhile (another worker
 * leased it, or it was deleted).
 * @returns the ids of the recorded ones
 */
export async function recordAttempts(
  db: Kysely<Tables>,
  worker: string,
  records: readonly AttemptRecord[],
): Promise<number[]> {
  const statement = write(worker, JSON.stringify(lanesOf(records)), JSON.stringify(records.map(rowOf)));
  const gone = records.filter(({ outcome }) => outcome.state === 'dead' && outcome.gone);
  if (gone.length === 0) return (await statement.execute(db)).rows.map(({ id }) => id);
  return db.transaction().execute(async (tx) => {
    // Subscriptions are locked before lanes, as in deletion.
    for (const record of gone) await disableGone(tx, record);
    return (await statement.execute(tx)).rows.map(({ id }) => id);
  });
}
