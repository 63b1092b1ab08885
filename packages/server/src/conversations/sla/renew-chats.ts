import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { loadSessions } from '../sessions.ts';
import { renewChatSla } from './chat-sla.ts';

/** Per transaction, so that the locks are short. */
const BATCH = 100;

/**
 * Computes the due times of the next chats that the team has, or that have targets.
 * @returns the last one's id; undefined after the last
 */
export const renewChats = (ctx: SiteContext, after: number): Promise<number | undefined> =>
  ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select c.id from conversations c
      where c.site_id = ${tx.site.id} and c.id = any (array(
        select id from conversations
        where site_id = ${tx.site.id} and id > ${after} and status in ('waiting', 'active') and status <> 'closed'
          and spam_at is null
        union select conversation_id from chat_slas
        where site_id = ${tx.site.id} and conversation_id > ${after} and due_at is not null
        order by 1 limit ${BATCH}))
      order by c.id for update`.execute(tx.db);
    const ids = rows.map(({ id }) => id);
    for (const chat of await loadSessions(tx.db, tx.site.id, sql`c.id = any (${ids}::bigint[])`))
      await renewChatSla(tx, chat);
    return rows.at(-1)?.id;
  });
