import type { ActionCaller } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';

export type RunRow = Selectable<Tables['action_runs']>;

/** The position of a chat in an action, as it is stored. */
export interface Run {
  readonly action_id: number;
  readonly action_version: number;
  readonly begun_by: Exclude<ActionCaller, 'test'>;
  readonly step: string;
  readonly given: Readonly<Record<string, string>>;
  readonly misses: number;
  readonly calls: number;
  readonly call_id: number | null;
  readonly may_retry: boolean | null;
}

/** Undefined if the chat is in no action. */
export const findRun = ({ db, site }: SiteContext, conversationId: number): Promise<RunRow | undefined> =>
  db
    .selectFrom('action_runs')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst();

/** Stores the chat's position in an action; null: it is no longer in one. */
export async function storeRun(tx: SiteContext, conversationId: number, run: Run | null): Promise<void> {
  if (run === null) {
    await tx.db
      .deleteFrom('action_runs')
      .where('site_id', '=', tx.site.id)
      .where('conversation_id', '=', conversationId)
      .execute();
    return;
  }
  const { given, ...rest } = run;
  const columns = { ...rest, given: JSON.stringify(given), updated_at: tx.now() };
  await tx.db
    .insertInto('action_runs')
    .values({ site_id: tx.site.id, conversation_id: conversationId, ...columns })
    .onConflict((conflict) => conflict.columns(['site_id', 'conversation_id']).doUpdateSet(columns))
    .execute();
}

/**
 * Locks the chat, because two workers may take the same turn. Returns whether this one may make the call: not if
 * another has begun a call since the run was read, or has answered the message already.
 * @param before the call that the run had when it was read.
 */
export async function mayCall(
  tx: SiteContext,
  { id, bot_seq }: Pick<SessionRow, 'id' | 'bot_seq'>,
  before: number | null,
): Promise<boolean> {
  const { rows } = await sql`
    select from conversations
    where site_id = ${tx.site.id} and id = ${id} and status = 'bot' and bot_seq = ${bot_seq}
    for no key update`.execute(tx.db);
  if (rows.length === 0) return false;
  // Read once the lock is held: a statement that waits for the lock would still see the old run.
  const run = await findRun(tx, id);
  return (run?.call_id ?? null) === before;
}
