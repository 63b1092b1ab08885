import { randomUUID } from 'node:crypto';
import type { ActionCall, ActionCaller, ActionCallStatus } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';
import type { Exchange } from '../net/sender.ts';

/** How much of an answer the log keeps. */
const EXCERPT_MAX_CHARS = 4_000;
/** Longer than a call takes after its timeout. */
const SETTLES_MS = 5_000;

export type CallRow = Selectable<Tables['action_calls']>;

interface NewCall {
  readonly action: { readonly id: number; readonly name: string };
  readonly conversationId: number | null;
  readonly by: ActionCaller;
  readonly method: CallRow['method'];
  readonly timeoutS: number;
  readonly input: Record<string, string>;
}

/** Records a call before it is made, so that none is ever made without a trace. */
export function startCall(ctx: SiteContext, call: NewCall): Promise<CallRow> {
  const now = ctx.now();
  return ctx.db
    .insertInto('action_calls')
    .values({
      site_id: ctx.site.id,
      action_id: call.action.id,
      action_name: call.action.name,
      conversation_id: call.conversationId,
      begun_by: call.by,
      key: randomUUID(),
      method: call.method,
      input: JSON.stringify(call.input),
      started_at: now,
      expires_at: new Date(now.getTime() + call.timeoutS * 1_000 + SETTLES_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Records how a call ended; `error` is null if it succeeded. */
export async function finishCall(
  ctx: SiteContext,
  id: number,
  { statusCode, durationMs, excerpt, error }: Omit<Exchange, 'isCut'>,
): Promise<void> {
  await ctx.db
    .updateTable('action_calls')
    .set({
      finished_at: ctx.now(),
      status_code: statusCode,
      duration_ms: durationMs,
      error,
      response_excerpt: excerpt?.slice(0, EXCERPT_MAX_CHARS).toWellFormed() ?? null,
    })
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}

/** A call by its id; undefined once it is deleted. */
export const findCall = (ctx: SiteContext, id: number): Promise<CallRow | undefined> =>
  ctx.db
    .selectFrom('action_calls')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .executeTakeFirst();

function statusOf({ finished_at, error, expires_at }: CallRow, now: Date): ActionCallStatus {
  if (finished_at !== null) return error === null ? 'done' : 'failed';
  return expires_at > now ? 'running' : 'unknown';
}

/** A call as the log shows it. */
export const presentCall = (row: CallRow & { session_id: string | null }, now: Date): ActionCall => ({
  id: row.id,
  action_id: row.action_id,
  action_name: row.action_name,
  session_id: row.session_id,
  by: row.begun_by,
  method: row.method,
  input: row.input,
  status: statusOf(row, now),
  status_code: row.status_code,
  duration_ms: row.duration_ms,
  error: row.error,
  response_excerpt: row.response_excerpt,
  started_utc: row.started_at.toISOString(),
});
