import {
  BULK_CHANGE_MAX,
  BULK_FAILURES_SHOWN,
  type BulkChangeAction,
  type BulkChangeState,
  type BulkTarget,
  type ErrorCode,
  type ErrorReason,
  type OutputOf,
  type ParsedInputOf,
  type ReasonValues,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput, isUniqueViolation, notFound } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { readyBulkChange } from './actions.ts';
import { chosenRows } from './targets.ts';
import { queueBulkWork } from './work.ts';

/** How many chats and tickets a target selects now. Stops counting at one more than `most`. */
export async function countTarget(
  ctx: SiteContext,
  target: BulkTarget,
  most = BULK_CHANGE_MAX,
): Promise<number> {
  const rows = await chosenRows(ctx, target, most + 1);
  return ctx.transaction(async ({ db }) => {
    // Row by row, by indexes: other joins read all that match before they have their first row.
    if (most < BULK_CHANGE_MAX)
      await sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
        set_config('enable_seqscan', 'off', true)`.execute(db);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from ${rows} chosen`.execute(db);
    return counted[0]?.count ?? 0;
  });
}

/**
 * Records the target and the change, and leaves the work to a job: later matches aren't included, and a killed
 * process loses nothing.
 * @throws AppError for errors that would affect every record, before anything is changed
 */
export async function startBulkChange(
  ctx: SiteContext,
  { of, change }: ParsedInputOf<'bulk_changes.start'>,
): Promise<BulkChangeState> {
  const { agentId } = agentActor(ctx);
  await readyBulkChange(ctx, change);
  const rows = await chosenRows(ctx, of, BULK_CHANGE_MAX + 1);
  return ctx.transaction(async (tx) => {
    const { id } = await tx.db
      .insertInto('bulk_changes')
      .values({
        site_id: tx.site.id,
        agent_id: agentId,
        change: JSON.stringify(change),
        created_at: tx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { numAffectedRows = 0n } = await sql`
      insert into bulk_change_items (site_id, bulk_change_id, position, ticket_id, conversation_id)
      select ${tx.site.id}, ${id}, row_number() over (), ticket_id, conversation_id from ${rows} chosen`.execute(
      tx.db,
    );
    if (numAffectedRows > BULK_CHANGE_MAX)
      throw invalidInput([
        { path: 'of', message: `selects more than ${BULK_CHANGE_MAX}; narrow it with a filter` },
      ]);
    await queueBulkWork(tx, id);
    return getBulkChange(tx, id);
  });
}

interface StateRow {
  total: number;
  failed: number;
  succeeded: number;
  undoable: number;
  finished_at: Date | null;
}

interface FailureRow {
  ticket_id: number | null;
  session_id: string | null;
  code: ErrorCode;
  message: string;
  reason: ErrorReason | null;
  values: ReasonValues | null;
}

/** The progress of the agent's own change. @throws AppError 404, also for another agent's */
export async function getBulkChange(ctx: SiteContext, id: number): Promise<BulkChangeState> {
  const { agentId } = agentActor(ctx);
  const { rows } = await sql<StateRow>`
    select count(i.position)::int as total, count(i.code)::int as failed,
      (count(i.done_at) - count(i.code))::int as succeeded,
      case when b.undoes_id is null
        and not exists (select from bulk_changes u where u.site_id = b.site_id and u.undoes_id = b.id)
        then count(i.undo)::int else 0 end as undoable,
      b.finished_at
    from bulk_changes b
    left join bulk_change_items i on i.site_id = b.site_id and i.bulk_change_id = b.id
    where b.site_id = ${ctx.site.id} and b.id = ${id} and b.agent_id = ${agentId}
    group by b.site_id, b.id`.execute(ctx.db);
  const [state] = rows;
  if (!state) throw notFound('bulk_change');
  const failures = state.failed === 0 ? [] : await failuresOf(ctx, id);
  const { finished_at, ...counts } = state;
  return { id, ...counts, failures, finished_utc: finished_at?.toISOString() ?? null };
}

/** After reloading the page, an agent is still shown results that are this recent. */
const LATEST_S = 120;

/** The agent's latest bulk change that is running or has just ended. */
export async function findLatestBulkChange(
  ctx: SiteContext,
): Promise<OutputOf<'bulk_changes.latest'>['latest']> {
  const { agentId } = agentActor(ctx);
  const { rows } = await sql<{ id: number; action: BulkChangeAction['action'] | null }>`
    select id, change ->> 'action' as action from bulk_changes
    where site_id = ${ctx.site.id} and agent_id = ${agentId}
      and (finished_at is null or finished_at > ${ctx.now()}::timestamptz - make_interval(secs => ${LATEST_S}))
    order by id desc limit 1`.execute(ctx.db);
  const [found] = rows;
  return found ? { ...(await getBulkChange(ctx, found.id)), action: found.action } : null;
}

async function failuresOf({ db, site }: SiteContext, id: number): Promise<FailureRow[]> {
  const { rows } = await sql<FailureRow>`
    select i.ticket_id, c.session_id, i.code, coalesce(i.message, '') as message, i.reason, i.reason_values as values
    from bulk_change_items i
    left join conversations c on c.site_id = i.site_id and c.id = i.conversation_id
    where i.site_id = ${site.id} and i.bulk_change_id = ${id} and i.code is not null
      and (i.ticket_id is not null or c.session_id is not null)
    order by i.position limit ${BULK_FAILURES_SHOWN}`.execute(db);
  return rows;
}

/**
 * Undoes what can be undone, as another bulk change.
 * @throws AppError 404, 409 for a change that is still running, was already undone, or can't be undone
 */
export async function undoBulkChange(ctx: SiteContext, id: number): Promise<BulkChangeState> {
  const { agentId } = agentActor(ctx);
  const before = await getBulkChange(ctx, id);
  if (before.finished_utc === null)
    throw new AppError('conflict', 'This change is still running.', { reason: 'bulk_under_way' });
  if (before.undoable === 0)
    throw new AppError('conflict', 'There’s nothing to undo.', { reason: 'bulk_nothing_to_undo' });
  const once = () =>
    ctx.transaction(async (tx) => {
      const made = await tx.db
        .insertInto('bulk_changes')
        .values({ site_id: tx.site.id, agent_id: agentId, undoes_id: id, created_at: tx.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`
        insert into bulk_change_items (site_id, bulk_change_id, position, ticket_id, conversation_id)
        select site_id, ${made.id}, position, ticket_id, conversation_id from bulk_change_items
        where site_id = ${tx.site.id} and bulk_change_id = ${id} and undo is not null`.execute(tx.db);
      await queueBulkWork(tx, made.id);
      return getBulkChange(tx, made.id);
    });
  return once().catch((error: unknown) => {
    if (isUniqueViolation(error, 'bulk_changes_undone'))
      throw new AppError('conflict', 'This is already undone.', { reason: 'bulk_undone' });
    throw error;
  });
}
