import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import { retryOnLockTimeout } from '../../db/transactions/lock-retry.ts';
import { waitForOlderTransactions } from '../../db/transactions/older-transactions.ts';
import { fillBatch, removeBatch } from './batches.ts';

/** A job hands over to the next of its kind well before it would count as stuck (jobs/queue.ts). */
const TURN_MS = 20_000;

interface Work {
  filling: string;
  filled: boolean;
  deleted: boolean;
}

async function workOn({ db, site }: SiteContext, id: number): Promise<Work | undefined> {
  const { rows } = await sql<Work>`
    select filling, filled_at is not null as filled, deleted_at is not null as deleted
    from segments where site_id = ${site.id} and id = ${id}`.execute(db);
  return rows[0];
}

/**
 * Applies a new or changed rule to all visitors, or removes the members of a deleted segment, in batches. Each
 * batch is a transaction that records the progress, so a killed process loses one batch. Concurrent changes use the
 * new rule: everything that might still use the old one ends before the first batch.
 */
export async function fillSegment(ctx: SiteContext, id: number, turnMs = TURN_MS): Promise<void> {
  const work = await workOn(ctx, id);
  if (!work || (work.filled && !work.deleted)) return;
  await waitForOlderTransactions(ctx.db);
  const end = performance.now() + turnMs;
  for (;;) {
    const more = await ctx.transaction((tx) =>
      retryOnLockTimeout(tx.db, () => (work.deleted ? removeBatch(tx, id) : fillBatch(tx, id, work.filling))),
    );
    if (!more) return;
    if (performance.now() > end) return queueNext(ctx, id);
  }
}

const queueNext = (ctx: SiteContext, id: number): Promise<void> =>
  ctx.enqueue('segments.fill', { segment_id: id }, { key: `${ctx.site.id}:${id}` });

export const segmentJobs = [
  job({ name: 'segments.fill', run: (ctx, { segment_id }) => fillSegment(ctx, segment_id) }),
];
