import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';
import type { Outcome } from './schedule.ts';
import type { Exchange } from './sender.ts';

export const GONE_REASON = 'The receiver answered 410 Gone.';

export interface AttemptRecord {
  delivery: ClaimedDelivery;
  /** When the attempt began. */
  at: Date;
  endedAt: Date;
  exchange: Exchange;
  outcome: Outcome;
}

const rowOf = ({ delivery, at, endedAt, exchange, outcome }: AttemptRecord) => ({
  site_id: delivery.siteId,
  id: delivery.id,
  number: delivery.attemptsMade + 1,
  at,
  status_code: exchange.statusCode,
  duration_ms: exchange.durationMs,
  error: exchange.error,
  response_excerpt: exchange.excerpt,
  next_attempt_at: outcome.state === 'retry' ? outcome.at : null,
  delivered_at: outcome.state === 'delivered' ? endedAt : null,
  dead_at: outcome.state === 'dead' ? endedAt : null,
});

/** Only for the address that said so: it may have been changed meanwhile. */
async function disableGone(db: Kysely<Tables>, { delivery, endedAt }: AttemptRecord): Promise<void> {
  await db
    .updateTable('webhook_subscriptions')
    .set({ disabled_at: endedAt, disabled_reason: GONE_REASON, updated_at: endedAt })
    .where('site_id', '=', delivery.siteId)
    .where('id', '=', delivery.subscriptionId)
    .where('url', '=', delivery.url)
    .where('disabled_at', 'is', null)
    .execute();
}

/**
 * Writes attempts and what becomes of their deliveries, all in one transaction. A delivery that this worker has lost
 * meanwhile (its lease ran out and another took it, or it was deleted) is left as it is.
 * @returns the ids of those that were written.
 */
export async function recordAttempts(
  db: Kysely<Tables>,
  worker: string,
  records: readonly AttemptRecord[],
): Promise<number[]> {
  const rows = JSON.stringify(records.map(rowOf));
  return db.transaction().execute(async (tx) => {
    // Subscriptions before deliveries, as deleting one locks them.
    for (const record of records) {
      if (record.outcome.state === 'dead' && record.outcome.gone) await disableGone(tx, record);
    }
    const written = await sql<{ id: number }>`
      with result as (
        select * from jsonb_to_recordset(${rows}::jsonb) as r (
          site_id bigint, id bigint, number integer, at timestamptz, status_code integer, duration_ms integer,
          error text, response_excerpt text, next_attempt_at timestamptz, delivered_at timestamptz,
          dead_at timestamptz
        )
      ), moved as (
        update webhook_deliveries d
        set attempts_made = r.number, next_attempt_at = r.next_attempt_at, delivered_at = r.delivered_at,
          dead_at = r.dead_at, leased_by = null, lease_until = null
        from result r
        where d.site_id = r.site_id and d.id = r.id and d.leased_by = ${worker} and d.attempts_made = r.number - 1
        returning d.site_id, d.id
      ), logged as (
        insert into webhook_attempts
          (site_id, delivery_id, number, at, status_code, duration_ms, error, response_excerpt)
        select site_id, id, r.number, r.at, r.status_code, r.duration_ms, r.error, r.response_excerpt
        from result r join moved using (site_id, id)
      )
      select id from moved`.execute(tx);
    return written.rows.map(({ id }) => id);
  });
}
