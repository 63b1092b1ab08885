import type { Macro, MacroAction, OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import { AppError, isUniqueViolation, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, type Page, pageOf } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.ts';
import { areAgents } from '../../sites/agents/assignable.ts';

type MacroRow = Selectable<Tables['macros']>;

const presentMacro = ({ id, name, actions, created_at, updated_at }: MacroRow): Macro => ({
  id,
  name,
  actions,
  created_utc: created_at.toISOString(),
  updated_utc: updated_at.toISOString(),
});

async function uniqueName<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'macros_name')) throw error;
    throw new AppError('conflict', `There is a macro named ${JSON.stringify(name)} already.`, {
      reason: 'name_taken',
      values: { name: name ?? '' },
    });
  }
}

/** Whom a macro's actions assign to. */
export const assigneesOf = (actions: readonly MacroAction[]): number[] =>
  actions.flatMap((action) =>
    action.type === 'assign' && action.assignee_id !== null ? [action.assignee_id] : [],
  );

/** @throws AppError 404 when a macro is to assign to somebody who is no agent of the site. */
async function checkAssignees(ctx: SiteContext, actions: readonly MacroAction[]): Promise<void> {
  if (!(await areAgents(ctx, assigneesOf(actions)))) throw notFound('agent');
}

/** @throws AppError 404, also for another site's. */
export async function getMacro(ctx: SiteContext, id: number): Promise<Macro> {
  const row = await ctx.db
    .selectFrom('macros')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('macro');
  return presentMacro(row);
}

async function macroPage(
  ctx: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'macros.list'>,
): Promise<Page<Macro>> {
  const after = cursorId(cursor);
  let query = ctx.db.selectFrom('macros').selectAll().where('site_id', '=', ctx.site.id);
  if (after !== undefined) query = query.where('id', order === 'asc' ? '>' : '<', after);
  const rows = await query
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.id], presentMacro);
}

export const listMacros = (
  ctx: SiteContext,
  input: ParsedInputOf<'macros.list'>,
): Promise<Page<Macro> | Macro> => (input.id === undefined ? macroPage(ctx, input) : getMacro(ctx, input.id));

const USES_MAX = 1_000;

/** The most used first. */
export async function macroUses({ db, site }: SiteContext): Promise<OutputOf<'macros.uses'>> {
  const rows = await db
    .selectFrom('macros')
    .select(['id', 'uses', 'last_used_at'])
    .where('site_id', '=', site.id)
    .orderBy('uses', 'desc')
    .orderBy('id')
    .limit(USES_MAX)
    .execute();
  const macros = rows.map(({ id, uses, last_used_at }) => ({
    id,
    uses,
    last_used_utc: last_used_at?.toISOString() ?? null,
  }));
  return { macros };
}

/** Apart from what it did, so that no ticket waits for another that the same macro changes. */
export async function noteMacroUse(ctx: SiteContext, id: number, uses = 1): Promise<void> {
  if (uses === 0) return;
  await ctx.db
    .updateTable('macros')
    .set((macro) => ({ uses: macro('uses', '+', uses), last_used_at: ctx.now() }))
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .execute();
}

/** @throws AppError 409 for a name that is taken, 404 for an assignee whom the site doesn't have. */
export async function createMacro(
  ctx: SiteContext,
  { name, actions }: ParsedInputOf<'macros.create'>,
): Promise<Macro> {
  await checkAssignees(ctx, actions);
  const now = ctx.now();
  const row = await uniqueName(name, () =>
    ctx.db
      .insertInto('macros')
      .values({
        site_id: ctx.site.id,
        name,
        actions: JSON.stringify(actions),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return presentMacro(row);
}

/** @throws AppError 404, 409 for a name that is taken. */
export async function updateMacro(
  ctx: SiteContext,
  { id, name, actions }: ParsedInputOf<'macros.update'>,
): Promise<Macro> {
  if (name === undefined && actions === undefined) return getMacro(ctx, id);
  if (actions) await checkAssignees(ctx, actions);
  const row = await uniqueName(name, () =>
    ctx.db
      .updateTable('macros')
      .set({
        updated_at: ctx.now(),
        ...(name === undefined ? {} : { name }),
        ...(actions === undefined ? {} : { actions: JSON.stringify(actions) }),
      })
      .where('site_id', '=', ctx.site.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
  );
  if (!row) throw notFound('macro');
  return presentMacro(row);
}

/** @throws AppError 404, also for another site's. */
export async function deleteMacro(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  const gone = await ctx.db
    .deleteFrom('macros')
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw notFound('macro');
  return { id, deleted: true };
}
