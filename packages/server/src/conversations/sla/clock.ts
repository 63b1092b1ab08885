import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { sitesWithDue } from '../../jobs/sites-with-due.ts';
import { loadSessions } from '../sessions.ts';
import { settleChatSla } from './chat-sla.ts';

const LOOK_EVERY_MS = 1_000;
const BATCH = 100;

/** @returns how many were due. Concurrent processes handle different chats; one that is being changed waits. */
const runBatch = (ctx: SiteContext): Promise<number> =>
  ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select c.id from chat_slas s join conversations c on c.site_id = s.site_id and c.id = s.conversation_id
      where s.site_id = ${tx.site.id} and s.event_at <= ${tx.now()}
      order by s.event_at limit ${BATCH} for update of c skip locked`.execute(tx.db);
    const ids = rows.map(({ id }) => id);
    // Read after the locks: another process may have settled some of them just before.
    for (const chat of await loadSessions(tx.db, tx.site.id, sql`c.id = any (${ids}::bigint[])`))
      await settleChatSla(tx, chat);
    return rows.length;
  });

/** Follows what changes the due times of chats, warns about those that are nearly due, and reports those that are late. */
export const chatSlaClock: RecurringJob = {
  name: 'chats.sla',
  everyMs: LOOK_EVERY_MS,
  due: (db, now, limit) =>
    sitesWithDue(
      db,
      {
        ...{ table: 'chat_slas', id: 'conversation_id' },
        ...{ since: sql`event_at`, isDue: sql`event_at <= ${now}` },
      },
      limit,
    ),
  async run(ctx) {
    while ((await runBatch(ctx)) === BATCH);
  },
};
