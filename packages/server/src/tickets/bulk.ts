import type { BulkAction, BulkChange, BulkResult } from '@foyer/protocol';
import { sql } from 'kysely';
import { type AppError, isDeadlock, toAppError } from '../base/errors.ts';
import { checkSnoozeTime } from '../conversations/snooze/snooze-times.ts';
import { assertHas } from '../core/access/permissions.ts';
import type { SiteContext } from '../core/context.ts';
import { assignableAgent } from '../sites/agents/assignable.ts';
import { holdTeam } from '../sites/teams/assignable.ts';
import { changeTicket } from './changes.ts';
import { applyMacro, readyMacro } from './macros/apply.ts';
import { noteMacroUse } from './macros/macros.ts';
import { snoozeTicket } from './snooze.ts';
import { setTicketSpam } from './spam.ts';
import { deleteTicket, lockTicket, type TicketRow } from './tickets.ts';

/** Changes one locked ticket, in its own transaction; returns the ticket afterwards. */
export type TicketChangeOfMany = (tx: SiteContext, row: TicketRow) => Promise<TicketRow | undefined>;

const ATTEMPTS = 3;
/** Concurrency: enough to wait for commits together, few enough to leave connections to others. */
const LANES = 3;

/**
 * Prepares the parts that are the same for every ticket.
 * @throws AppError 404, 400, 403 or 409 for errors that would affect all of them
 */
export async function readyForMany(ctx: SiteContext, change: BulkAction): Promise<TicketChangeOfMany> {
  switch (change.action) {
    case 'set_status':
      return (tx, row) => changeTicket(tx, row, { status: change.status });
    case 'set_priority':
      return (tx, row) => changeTicket(tx, row, { priority: change.priority });
    case 'assign':
      if (change.assignee_id !== null) await assignableAgent(ctx, change.assignee_id);
      return (tx, row) => changeTicket(tx, row, { assignee_id: change.assignee_id });
    case 'assign_team':
      if (change.team_id !== null) await holdTeam(ctx, change.team_id);
      return (tx, row) => changeTicket(tx, row, { team_id: change.team_id });
    case 'add_tags':
      return (tx, row) => changeTicket(tx, row, { add_tags: change.tags });
    case 'remove_tags':
      return (tx, row) => changeTicket(tx, row, { remove_tags: change.tags });
    case 'snooze': {
      const until = change.until_utc === null ? null : new Date(change.until_utc);
      if (until) checkSnoozeTime(ctx.now(), until);
      return (tx, row) => snoozeTicket(tx, row, until);
    }
    case 'set_spam':
      return (tx, row) => setTicketSpam(tx, row, change.spam ? 'team' : null);
    case 'apply_macro': {
      const macro = await readyMacro(ctx, change.macro_id);
      return (tx, row) => applyMacro(tx, row, macro);
    }
    case 'delete':
      assertHas(ctx, 'delete');
      return async (tx, row) => {
        await deleteTicket(tx, row);
        return undefined;
      };
  }
}

/**
 * If everything is one transaction (a call with an Idempotency-Key), each ticket stays locked until the last is
 * done. Two such calls must lock in the same order, before anything else, or they would deadlock.
 */
async function lockAll({ db, site }: SiteContext, ids: readonly number[]): Promise<void> {
  await sql`
    select id from tickets where site_id = ${site.id} and id = any (${ids}::bigint[])
    order by id for update`.execute(db);
}

/**
 * Other code may lock a chat and its ticket in either order; then the database aborts one of the two transactions.
 */
export async function attemptOne(ctx: SiteContext, work: (tx: SiteContext) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.attempt(work);
    } catch (error) {
      if (!isDeadlock(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The result for one ticket. The log gets the error; the caller gets its code. */
async function outcome(
  ctx: SiteContext,
  id: number,
  change: TicketChangeOfMany,
): Promise<AppError | undefined> {
  try {
    await attemptOne(ctx, async (tx) => void (await change(tx, await lockTicket(tx, id))));
    return undefined;
  } catch (error) {
    const failure = toAppError(error);
    // The transaction is lost, so there is no result to report.
    if (failure.code === 'unavailable' && ctx.db.isTransaction) throw error;
    if (failure.code === 'internal') ctx.log.error({ err: error, ticket_id: id }, 'a bulk change failed');
    return failure;
  }
}

/** Results in the order of the ids, `lanes` at a time. */
async function outcomes(
  ctx: SiteContext,
  ids: readonly number[],
  change: TicketChangeOfMany,
  lanes: number,
): Promise<(AppError | undefined)[]> {
  const found: (AppError | undefined)[] = [];
  let next = 0;
  let lost: AppError | undefined;
  const lane = async (): Promise<void> => {
    for (let place = next++; place < ids.length; place = next++) {
      // If the database is down, the remaining tickets aren't tried: the caller should soon learn which are done.
      const failure = lost ?? (await outcome(ctx, ids[place] ?? 0, change));
      if (failure?.code === 'unavailable') lost = failure;
      found[place] = failure;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return found;
}

/**
 * Changes many tickets, each in its own transaction, so a failure doesn't stop the others. A repeated id is changed
 * once.
 * @throws AppError for errors that affect all of them, before anything is changed
 */
export async function changeInBulk(ctx: SiteContext, input: BulkChange): Promise<BulkResult> {
  const { ids: named, ...action } = input;
  const change = await readyForMany(ctx, action);
  const ids = [...new Set(named)];
  if (ctx.db.isTransaction) await lockAll(ctx, ids);
  const found = await outcomes(ctx, ids, change, ctx.db.isTransaction ? 1 : LANES);
  const result: BulkResult = { succeeded: [], failed: [] };
  for (const [place, id] of ids.entries()) {
    const failure = found[place];
    if (failure === undefined) result.succeeded.push(id);
    else result.failed.push({ id, code: failure.code, message: failure.message });
  }
  if (input.action === 'apply_macro') await noteMacroUse(ctx, input.macro_id, result.succeeded.length);
  return result;
}
