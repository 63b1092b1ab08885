import type { ActionCallStatus, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { getSession } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { idPage } from '../db/keyset.ts';
import { actions } from './actions.ts';
import { presentCall } from './calls.ts';

const hasStatus = (status: ActionCallStatus, now: Date): RawBuilder<boolean> =>
  ({
    done: sql<boolean>`c.finished_at is not null and c.error is null`,
    failed: sql<boolean>`c.error is not null`,
    running: sql<boolean>`c.finished_at is null and c.expires_at > ${now}`,
    unknown: sql<boolean>`c.finished_at is null and c.expires_at <= ${now}`,
  })[status];

/** By id, in `input.order`. @throws AppError 404 for an action or a chat that isn't the site's. */
export async function listCalls(
  ctx: SiteContext,
  input: ParsedInputOf<'action_calls.list'>,
): Promise<OutputOf<'action_calls.list'>> {
  const { action_id, session_id, status } = input;
  if (action_id !== undefined) await actions.get(ctx, action_id);
  const chat = session_id === undefined ? undefined : await getSession(ctx, session_id);
  const now = ctx.now();
  let query = ctx.db
    .selectFrom('action_calls as c')
    .leftJoin('conversations as chat', (join) =>
      join.onRef('chat.site_id', '=', 'c.site_id').onRef('chat.id', '=', 'c.conversation_id'),
    )
    .selectAll('c')
    .select('chat.session_id')
    .where('c.site_id', '=', ctx.site.id);
  if (action_id !== undefined) query = query.where('c.action_id', '=', action_id);
  if (chat !== undefined) query = query.where('c.conversation_id', '=', chat.id);
  if (status !== undefined) query = query.where(hasStatus(status, now));
  return idPage(query, input, (row) => presentCall(row, now), 'c.id');
}
