import { isDatabaseLost } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';

const BATCH = 100;
/** How long a failing record waits: it would fail again at once, with everything in its transaction. */
const PUT_OFF_MS = 600_000;

/** Tickets or chats with due SLA work. */
export interface DueRecords {
  /** For the log. */
  name: 'ticket' | 'chat';
  /**
   * Locks the due ones, at most `limit`, or this one if it is due; skips those that are being changed.
   * @returns their ids
   */
  lock(tx: SiteContext, about: { limit: number; only?: number }): Promise<number[]>;
  /** Computes, stores and reports their SLA state. */
  settle(tx: SiteContext, ids: readonly number[]): Promise<void>;
  /** Postpones the next look at one. */
  putOff(ctx: SiteContext, id: number, until: Date): Promise<void>;
}

/**
 * Handles the due records of a site, many in one transaction. If that fails, each gets its own, and only the failing
 * one waits. Concurrent processes handle different records.
 */
export async function settleDueRecords(ctx: SiteContext, records: DueRecords): Promise<void> {
  while ((await settleBatch(ctx, records)) === BATCH);
}

/** @returns how many were due */
async function settleBatch(ctx: SiteContext, records: DueRecords): Promise<number> {
  let ids: number[] = [];
  try {
    await ctx.transaction(async (tx) => {
      ids = await records.lock(tx, { limit: BATCH });
      await records.settle(tx, ids);
    });
  } catch (error) {
    if (ids.length === 0 || isDatabaseLost(error)) throw error;
    for (const id of ids) await settleAlone(ctx, records, id);
  }
  return ids.length;
}

async function settleAlone(ctx: SiteContext, records: DueRecords, id: number): Promise<void> {
  try {
    await ctx.transaction(async (tx) => records.settle(tx, await records.lock(tx, { limit: 1, only: id })));
  } catch (error) {
    if (isDatabaseLost(error)) throw error;
    ctx.log.error({ err: error, record: records.name, id }, 'an SLA can’t be settled; it is looked at later');
    await records.putOff(ctx, id, new Date(ctx.now().getTime() + PUT_OFF_MS));
  }
}
