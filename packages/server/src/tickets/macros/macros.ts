import {
  type Macro,
  type MacroAction,
  type OutputOf,
  type ParsedInputOf,
  PRIVATE_MACROS_MAX,
} from '@foyer/protocol';
import type { Selectable } from 'kysely';
import { AppError, invalidInput, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { idPage, type Page } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { areAgents } from '../../sites/agents/assignable.ts';
import { isProblem, readValue } from '../../sites/fields/field-values.ts';
import { areTeams } from '../../sites/teams/assignable.ts';
import {
  audienceOf,
  inAudit,
  isVisible,
  presentAudience,
  shareVerb,
  visible,
} from '../../sites/teams/visibility.ts';

type MacroRow = Selectable<Tables['macros']>;

const presentMacro = (row: MacroRow): Macro => ({
  id: row.id,
  name: row.name,
  actions: row.actions,
  ...presentAudience(row),
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

const CALLED = 'macro';
const macros = new SiteRecords('macros', CALLED);

/** The agents to whom a macro's actions assign. */
export const assigneesOf = (actions: readonly MacroAction[]): number[] =>
  actions.flatMap((action) =>
    action.type === 'assign' && action.assignee_id !== null ? [action.assignee_id] : [],
  );

/** The teams that a macro's actions name. */
const teamsOf = (actions: readonly MacroAction[]): number[] =>
  actions.flatMap((action) =>
    'team_id' in action && typeof action.team_id === 'number' ? [action.team_id] : [],
  );

async function checkWebhooks({ db, site }: SiteContext, actions: readonly MacroAction[]): Promise<void> {
  const ids = actions.flatMap((action) => (action.type === 'call_webhook' ? [action.webhook_id] : []));
  if (ids.length === 0) return;
  const known = await db
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', 'in', ids)
    .execute();
  if (known.length < new Set(ids).size) throw notFound('webhook subscription');
}

/** A value must be valid for a field of tickets or of chats with that key. */
async function checkFields({ db, site }: SiteContext, actions: readonly MacroAction[]): Promise<void> {
  for (const action of actions) {
    if (action.type !== 'set_field') continue;
    const fields = await db
      .selectFrom('fields')
      .select(['kind', 'choices'])
      .where('site_id', '=', site.id)
      .where('applies_to', 'in', ['tickets', 'chats'])
      .where('key', '=', action.field)
      .where('archived_at', 'is', null)
      .execute();
    if (fields.length === 0) throw notFound('field');
    const read = fields.map((field) => readValue(field, action.value));
    const problem = read.find(isProblem);
    if (problem && read.every(isProblem))
      throw invalidInput([{ path: `actions.${actions.indexOf(action)}.value`, ...problem }]);
  }
}

/**
 * Whether everything exists that actions name.
 * @throws AppError 404 for an unknown agent, team, webhook or field, 400 for an invalid value of a field
 */
export async function checkActions(ctx: SiteContext, actions: readonly MacroAction[]): Promise<void> {
  if (!(await areAgents(ctx, assigneesOf(actions)))) throw notFound('agent');
  if (!(await areTeams(ctx, teamsOf(actions)))) throw notFound('team');
  await checkWebhooks(ctx, actions);
  await checkFields(ctx, actions);
}

/** @throws AppError 404, also for another site's and for one that the caller doesn't see */
export const getMacro = async (ctx: SiteContext, id: number): Promise<Macro> =>
  presentMacro(await visible(ctx, await macros.get(ctx, id), CALLED));

const lockMacro = async (tx: SiteContext, id: number): Promise<MacroRow> =>
  visible(tx, await macros.lock(tx, id), CALLED);

/** With `input.id` that macro, or a 404; otherwise a page by id. */
export async function listMacros(
  ctx: SiteContext,
  input: ParsedInputOf<'macros.list'>,
): Promise<Page<Macro> | Macro> {
  if (input.id !== undefined) return getMacro(ctx, input.id);
  const all = ctx.db
    .selectFrom('macros')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where(isVisible(ctx, 'macros'));
  return idPage(all, input, presentMacro);
}

const USES_MAX = 1_000;

/** The most used first. */
export async function macroUses(ctx: SiteContext): Promise<OutputOf<'macros.uses'>> {
  const rows = await ctx.db
    .selectFrom('macros')
    .select(['id', 'uses', 'last_used_at'])
    .where('site_id', '=', ctx.site.id)
    .where(isVisible(ctx, 'macros'))
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

/** In a separate transaction, so that tickets changed by the same macro don't wait for each other. */
export async function noteMacroUse(ctx: SiteContext, id: number, uses = 1): Promise<void> {
  if (uses === 0) return;
  await ctx.db
    .updateTable('macros')
    .set((macro) => ({ uses: macro('uses', '+', uses), last_used_at: ctx.now() }))
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .execute();
}

/**
 * The caller holds the site's lock, as `audienceOf` takes it: concurrent calls could both find room.
 * @throws AppError 409 if an agent has the maximum number of private macros
 */
async function assertRoom(tx: SiteContext, owner: number | null): Promise<void> {
  if (owner === null) return;
  const { count } = await tx.db
    .selectFrom('macros')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('site_id', '=', tx.site.id)
    .where('owner_id', '=', owner)
    .executeTakeFirstOrThrow();
  if (count >= PRIVATE_MACROS_MAX)
    throw new AppError('conflict', `You can have at most ${PRIVATE_MACROS_MAX} private macros.`, {
      reason: 'private_macros_full',
      values: { count: PRIVATE_MACROS_MAX },
    });
}

/**
 * @throws AppError 409 for a name that is taken and like `assertRoom`, 404 for an unknown assignee or team, 403 like
 * `audienceOf`
 */
export async function createMacro(
  ctx: SiteContext,
  { name, actions, ...choice }: ParsedInputOf<'macros.create'>,
): Promise<Macro> {
  await checkActions(ctx, actions);
  const isShared = choice.visibility !== 'private';
  return inAudit(ctx, { subject: 'macro', verb: 'create', isShared }, async (tx) => {
    const now = tx.now();
    const audience = await audienceOf(tx, choice);
    await assertRoom(tx, audience.owner_id);
    const values = { name, actions: JSON.stringify(actions), created_at: now, updated_at: now };
    return presentMacro(await macros.insert(tx, { ...values, ...audience }));
  });
}

/**
 * Changes a macro, or shares it with others.
 * @throws AppError 404, 409 for a name that is taken, 403 like `audienceOf`
 */
export async function updateMacro(
  ctx: SiteContext,
  { id, name, actions, ...choice }: ParsedInputOf<'macros.update'>,
): Promise<Macro> {
  if (actions) await checkActions(ctx, actions);
  return ctx.transaction(async (tx) => {
    const audience = choice.visibility && (await audienceOf(tx, choice));
    const before = await lockMacro(tx, id);
    const isShared = before.owner_id === null || audience !== undefined;
    const verb = shareVerb(before, audience);
    return inAudit(tx, { subject: 'macro', verb, isShared, input: { id } }, async (inner) => {
      const change = { name, actions: actions && JSON.stringify(actions), ...audience };
      return presentMacro(await macros.update(inner, id, change, { updated_at: inner.now() }));
    });
  });
}

/** @throws AppError 404, also for another site's. */
export const deleteMacro = (ctx: SiteContext, id: number): Promise<OutputOf<'macros.delete'>> =>
  ctx.transaction(async (tx) => {
    const isShared = (await lockMacro(tx, id)).owner_id === null;
    const change = { subject: 'macro', verb: 'delete', isShared, input: { id } } as const;
    return inAudit(tx, change, (inner) => macros.delete(inner, id));
  });
