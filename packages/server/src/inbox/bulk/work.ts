import type { BulkChangeAction, Role } from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { type RawBuilder, sql } from 'kysely';
import { AppError, notFound, toAppError } from '../../base/errors.ts';
import { lockSession } from '../../conversations/sessions.ts';
import type { Actor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { attemptOne } from '../../tickets/bulk.ts';
import { noteMacroUse } from '../../tickets/macros/macros.ts';
import { lockTicket } from '../../tickets/tickets.ts';
import { readyBulkChange } from './actions.ts';
import { type Undo, undoChat, undoOfChat, undoOfTicket, undoTicket } from './undo.ts';

/** A job hands over to the next of its kind well before it would count as stuck (jobs/queue.ts). */
const TURN_MS = 20_000;
/** How many records are read at a time. Each is changed in its own transaction. */
const STEP = 100;
/** Concurrency: enough to wait for commits together, few enough to leave connections to others. */
const LANES = 3;
/** How long a change is listed and can be undone. */
const KEPT_DAYS = 7;
const FORGET_EVERY_MS = 3_600_000;

interface Work {
  change: BulkChangeAction | null;
  undoes_id: number | null;
  agent_id: number;
  agent_name: string;
  role: Role;
  permissions: Permission[] | null;
  removed_at: Date | null;
}

interface Item {
  position: number;
  ticket_id: number | null;
  conversation_id: number | null;
  session_id: string | null;
  undo: Undo | null;
}

async function findWork({ db, site }: SiteContext, id: number): Promise<Work | undefined> {
  const { rows } = await sql<Work>`
    select b.change, b.undoes_id, b.agent_id, a.name as agent_name, a.role, a.removed_at, r.permissions
    from bulk_changes b join agents a on a.site_id = b.site_id and a.id = b.agent_id
    left join roles r on r.site_id = a.site_id and r.id = a.custom_role_id
    where b.site_id = ${site.id} and b.id = ${id} and b.finished_at is null`.execute(db);
  return rows[0];
}

/** The next unprocessed records, with the undo data of the change that is being undone. */
async function itemsLeft({ db, site }: SiteContext, id: number, undoesId: number | null): Promise<Item[]> {
  const { rows } = await sql<Item>`
    select i.position, i.ticket_id, i.conversation_id, c.session_id, u.undo
    from bulk_change_items i
    left join conversations c on c.site_id = i.site_id and c.id = i.conversation_id
    left join bulk_change_items u
      on u.site_id = i.site_id and u.bulk_change_id = ${undoesId} and u.position = i.position
    where i.site_id = ${site.id} and i.bulk_change_id = ${id} and i.done_at is null
    order by i.position limit ${STEP}`.execute(db);
  return rows;
}

/** Only the first caller succeeds, so a job that was given to another worker does nothing twice. */
async function claim(tx: SiteContext, id: number, position: number): Promise<boolean> {
  const { rows } = await sql`
    select from bulk_change_items
    where site_id = ${tx.site.id} and bulk_change_id = ${id} and position = ${position} and done_at is null
    for update`.execute(tx.db);
  return rows.length > 0;
}

type Outcome = { undo: Undo | null } | { failure: AppError };

const failed = ({ code, message, reason, values }: AppError): RawBuilder<unknown> => sql`
  code = ${code}, message = ${message}, reason = ${reason ?? null},
  reason_values = ${values ? JSON.stringify(values) : null}::jsonb`;

async function settle(tx: SiteContext, id: number, position: number, outcome: Outcome): Promise<void> {
  const told =
    'failure' in outcome
      ? failed(outcome.failure)
      : sql`undo = ${outcome.undo && JSON.stringify(outcome.undo)}::jsonb`;
  await sql`
    update bulk_change_items set done_at = ${tx.now()}, ${told}
    where site_id = ${tx.site.id} and bulk_change_id = ${id} and position = ${position} and done_at is null`.execute(
    tx.db,
  );
}

/** Changes one record; returns how to undo it. */
type Act = (tx: SiteContext, item: Item) => Promise<Undo | null>;

/** @throws AppError if the change is no longer possible for any record */
async function actOf(ctx: SiteContext, { change }: Work): Promise<Act> {
  if (change === null)
    return async (tx, { ticket_id, session_id, undo }) => {
      if (ticket_id !== null) await undoTicket(tx, await lockTicket(tx, ticket_id), undo ?? {});
      else if (session_id !== null) await undoChat(tx, session_id, undo ?? {});
      return null;
    };
  const ready = await readyBulkChange(ctx, change);
  return async (tx, { ticket_id, session_id }) => {
    if (ticket_id !== null) {
      const before = await lockTicket(tx, ticket_id);
      const after = await ready.ticket(tx, before);
      // A macro's replies can't be unsaid, and a deleted ticket can't be restored.
      return after && change.action !== 'apply_macro' ? undoOfTicket(before, after) : null;
    }
    if (session_id === null) throw notFound('session');
    const before = await lockSession(tx, session_id);
    const after = await ready.chat(tx, before);
    return change.action === 'apply_macro' ? null : undoOfChat(before, after);
  };
}

/** Changes one record and stores the result in the same transaction. */
async function doOne(ctx: SiteContext, id: number, item: Item, act: Act): Promise<void> {
  const { position } = item;
  try {
    await attemptOne(ctx, async (tx) => {
      if (await claim(tx, id, position)) await settle(tx, id, position, { undo: await act(tx, item) });
    });
  } catch (error) {
    const failure = toAppError(error);
    // The database is down: the job will be retried.
    if (failure.code === 'unavailable') throw error;
    if (failure.code === 'internal')
      ctx.log.error({ err: error, bulk_change_id: id }, 'a bulk change failed');
    await settle(ctx, id, position, { failure });
  }
}

/** Fails all remaining records: the agent was removed, or the macro was deleted. */
async function failAll(ctx: SiteContext, id: number, failure: AppError): Promise<void> {
  await sql`
    update bulk_change_items set done_at = ${ctx.now()}, ${failed(failure)}
    where site_id = ${ctx.site.id} and bulk_change_id = ${id} and done_at is null`.execute(ctx.db);
}

async function readyAct(ctx: SiteContext, id: number, work: Work): Promise<Act | undefined> {
  try {
    if (work.removed_at !== null)
      throw new AppError('insufficient_scope', 'The agent who started this is no longer on the team.', {
        reason: 'bulk_agent_gone',
      });
    return await actOf(ctx, work);
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code === 'unavailable' || failure.code === 'internal') throw error;
    await failAll(ctx, id, failure);
    return undefined;
  }
}

async function doStep(ctx: SiteContext, id: number, items: readonly Item[], act: Act): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let item = items[next++]; item; item = items[next++]) await doOne(ctx, id, item, act);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** At most one job per change waits. */
export const queueBulkWork = (ctx: SiteContext, id: number): Promise<void> =>
  ctx.enqueue('inbox.bulk_change', { bulk_change_id: id }, { key: `${ctx.site.id}:${id}` });

/** Counts the macro's use once at the end. Counting each ticket would make them all wait for its row. */
async function noteUses(ctx: SiteContext, id: number, { change }: Work): Promise<void> {
  if (change?.action !== 'apply_macro') return;
  const { rows } = await sql<{ uses: number }>`
    select count(*)::integer as uses from bulk_change_items
    where site_id = ${ctx.site.id} and bulk_change_id = ${id} and done_at is not null and code is null`.execute(
    ctx.db,
  );
  await noteMacroUse(ctx, change.macro_id, rows[0]?.uses);
}

/** Finishes a change. A repeated call finds it finished: it is reported and its macro counted once. */
function finish(ctx: SiteContext, id: number, work: Work): Promise<void> {
  return ctx.transaction(async (tx) => {
    const finished = await tx.db
      .updateTable('bulk_changes')
      .set({ finished_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!finished) return;
    await noteUses(tx, id, work);
    await tx.emit({ notices: [{ kind: 'lists' }] });
  });
}

/**
 * Continues a bulk change in the name of the agent who started it, with the agent's current permissions. Each chat
 * and ticket is changed as if one by one, so events, webhooks and the audit log report each.
 */
export async function workOnBulkChange(ctx: SiteContext, id: number, turnMs = TURN_MS): Promise<void> {
  const work = await findWork(ctx, id);
  if (!work) return;
  const { agent_id: agentId, agent_name: name, role, permissions } = work;
  const actor: Actor = { kind: 'agent', agentId, name, role, ...(permissions && { permissions }) };
  const own = ctx.as(actor);
  const act = await readyAct(own, id, work);
  const end = performance.now() + turnMs;
  while (act) {
    const items = await itemsLeft(own, id, work.undoes_id);
    if (items.length === 0) break;
    await doStep(own, id, items, act);
    if (performance.now() > end) return queueBulkWork(ctx, id);
  }
  await finish(ctx, id, work);
}

export const bulkChangeJobs = [
  job({
    name: 'inbox.bulk_change',
    // Two large changes at once leave half of the pool to everything else.
    workers: 2,
    run: (ctx, { bulk_change_id }) => workOnBulkChange(ctx, bulk_change_id),
  }),
];

export const bulkChangeClock: RecurringJob[] = [
  {
    name: 'inbox.forget_bulk_changes',
    everyMs: FORGET_EVERY_MS,
    due: ({ now, limit }) => sql`
      select site_id as "siteId", id from bulk_changes
      where created_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})
      order by created_at limit ${limit}`,
    async run({ db, site }, id) {
      await db.deleteFrom('bulk_changes').where('site_id', '=', site.id).where('id', '=', id).execute();
    },
  },
];
