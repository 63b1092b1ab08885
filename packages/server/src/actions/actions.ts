import type { Action, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { ACTIONS_MAX } from '@foyer/protocol/values/bounds';
import type { Selectable } from 'kysely';
import { AppError, invalidInput, notFound, tooMany } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import type { Tables } from '../db/tables.generated.ts';
import { lockSite } from '../sites/sites.ts';
import { finishCall, presentCall, startCall } from './calls.ts';
import { actionIssues, inputsOf } from './check-action.ts';
import { sealHeaders } from './headers.ts';
import { loggedInput } from './inputs.ts';
import { callStep, makeCall } from './make-call.ts';

export type ActionRow = Selectable<Tables['actions']>;

/** Updates lock the record. */
export const actions = new SiteRecords('actions', 'action', {
  conflict: (name) =>
    new AppError('conflict', 'Another action has this name or label.', {
      reason: 'name_taken',
      values: { name },
    }),
});

const presentAction = (row: ActionRow): Action => ({
  id: row.id,
  name: row.name,
  label: row.label,
  purpose: row.purpose,
  examples: row.examples,
  verified: row.verified,
  steps: row.steps,
  enabled: row.disabled_at === null,
  updated_utc: row.updated_at.toISOString(),
});

const rowsOf = ({ db, site }: SiteContext) =>
  db.selectFrom('actions').selectAll().where('site_id', '=', site.id).orderBy('id').limit(ACTIONS_MAX);

/** All actions of the site, oldest first, without the values of headers. */
export const listActions = async (ctx: SiteContext): Promise<Action[]> =>
  (await rowsOf(ctx).execute()).map(presentAction);

/** The actions that a visitor may use now. */
export function usableActions(ctx: SiteContext, verified: boolean): Promise<ActionRow[]> {
  const enabled = rowsOf(ctx).where('disabled_at', 'is', null);
  return (verified ? enabled : enabled.where('verified', '=', false)).execute();
}

/** An action by its id, enabled or not; undefined once it is deleted. */
export const findAction = (ctx: SiteContext, id: number): Promise<ActionRow | undefined> =>
  rowsOf(ctx).where('id', '=', id).executeTakeFirst();

async function requireUsable(
  ctx: SiteContext,
  { steps, verified }: Pick<Action, 'steps' | 'verified'>,
): Promise<void> {
  const issues = await actionIssues(ctx, steps, verified);
  if (issues.length > 0) throw invalidInput(issues);
}

/** @throws AppError 400 for steps that can't work, 409 for a name or label that is taken or beyond ACTIONS_MAX. */
export async function createAction(
  ctx: SiteContext,
  input: ParsedInputOf<'actions.create'>,
): Promise<Action> {
  await requireUsable(ctx, input);
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    if ((await listActions(tx)).length >= ACTIONS_MAX)
      throw tooMany(ACTIONS_MAX, `A site can have at most ${ACTIONS_MAX} actions.`);
    const { enabled, steps, ...fields } = input;
    const sealed = sealHeaders(tx, steps, undefined);
    const now = tx.now();
    const row = await actions.insert(tx, {
      ...fields,
      steps: JSON.stringify(sealed.steps),
      headers_cipher: sealed.headers_cipher,
      disabled_at: enabled ? null : now,
      created_at: now,
      updated_at: now,
    });
    return presentAction(row);
  });
}

/** Changed steps end the runs that are under way. @throws AppError 400, 404, 409. */
export async function updateAction(
  ctx: SiteContext,
  { id, enabled, steps, ...fields }: ParsedInputOf<'actions.update'>,
): Promise<Action> {
  const known = presentAction(await actions.get(ctx, id));
  const verified = fields.verified ?? known.verified;
  await requireUsable(ctx, { steps: steps ?? known.steps, verified });
  return ctx.transaction(async (tx) => {
    const before = await actions.lock(tx, id);
    const sealed = steps && sealHeaders(tx, steps, before);
    const changed = sealed && {
      steps: JSON.stringify(sealed.steps),
      headers_cipher: sealed.headers_cipher,
      version: before.version + 1,
    };
    const disabledAt = enabled ? null : (before.disabled_at ?? tx.now());
    const change = {
      ...fields,
      ...changed,
      ...(enabled === undefined ? {} : { disabled_at: disabledAt }),
    };
    return presentAction(await actions.update(tx, id, change, { updated_at: tx.now() }));
  });
}

/** Ends the runs that are under way; the log keeps the action's name. @throws AppError 404, also for another site's. */
export const deleteAction = (ctx: SiteContext, id: number): Promise<OutputOf<'actions.delete'>> =>
  actions.delete(ctx, id);

/**
 * Makes the call of a step for real, with the stored headers, and logs it.
 * @throws AppError 404, also for an unknown step.
 */
export async function testAction(
  ctx: SiteContext,
  { id, step_id, values }: ParsedInputOf<'actions.test'>,
): Promise<OutputOf<'actions.test'>> {
  const action = await actions.get(ctx, id);
  const step = callStep(action.steps, step_id);
  if (step === undefined) throw notFound('step');
  const input = loggedInput(inputsOf(action.steps), values);
  const { method, timeout_s: timeoutS } = step;
  const row = await startCall(ctx, { action, conversationId: null, by: 'test', method, timeoutS, input });
  const { request, exchange, outcome } = await makeCall(ctx, action, step, values, row.key);
  await ctx.transaction(async (tx) => {
    await finishCall(tx, row.id, exchange);
    await tx.emit({
      audit: { subject: 'action', subjectId: id, label: action.name, action: 'actions.test' },
    });
  });
  const finished = {
    ...row,
    session_id: null,
    finished_at: ctx.now(),
    status_code: exchange.statusCode,
    duration_ms: exchange.durationMs,
    error: exchange.error,
    response_excerpt: exchange.excerpt,
  };
  return {
    call: presentCall(finished, ctx.now()),
    request: { ...request, headers: step.headers.map(({ name }) => name) },
    fields: outcome.kind === 'answered' ? { ...outcome.fields } : {},
  };
}
