import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { RetentionPolicy } from '../core/retention-policy.ts';
import { holdCounting, isCounted, keepSums } from '../rollups/retained-sums.ts';
import { deleteChats } from './delete-chats.ts';

/** Closed chats, and abandoned chats with the bot alone. Never one that a person has. */
export const oldChats: RetentionPolicy = {
  batch: 50,
  old: (ctx, before) => sql`
    conversations r where r.site_id = ${ctx.site.id} and (
      (r.status = 'closed' and r.ended_at < ${before})
      or (r.status = 'bot' and r.started_at < ${before} and coalesce(r.last_message_at, r.started_at) < ${before})
    ) and ${isCounted(ctx, 'conversations')}`,
  purge: purgeChats,
};

/** Chats marked as spam, assigned or not: by the time of the mark. */
export const oldSpamChats: RetentionPolicy = {
  batch: 50,
  old: (ctx, before) => sql`
    conversations r where r.site_id = ${ctx.site.id} and r.spam_at < ${before} and ${isCounted(ctx, 'conversations')}`,
  purge: purgeChats,
};

async function purgeChats(tx: SiteContext, ids: readonly number[]): Promise<void> {
  const { db, site } = tx;
  await holdCounting(tx);
  const { rows } = await sql<{ session_id: string }>`
      select session_id from conversations
      where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(db);
  await keepSums(
    tx,
    rows.map(({ session_id }) => session_id),
  );
  await deleteChats(tx, ids);
}
