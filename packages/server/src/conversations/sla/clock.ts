import { sql } from 'kysely';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { sitesWithDue } from '../../jobs/sites-with-due.ts';
import { type DueRecords, settleDueRecords } from '../../sla/settle-due.ts';
import { loadSessions } from '../sessions.ts';
import { settleChatSla } from './chat-sla.ts';

const LOOK_EVERY_MS = 1_000;

const dueChats: DueRecords = {
  name: 'chat',
  async lock(tx, { limit, only }) {
    const { rows } = await sql<{ id: number }>`
      select c.id from chat_slas s join conversations c on c.site_id = s.site_id and c.id = s.conversation_id
      where s.site_id = ${tx.site.id} and s.event_at <= ${tx.now()}
        ${only === undefined ? sql`` : sql`and s.conversation_id = ${only}`}
      order by s.event_at limit ${limit} for update of c skip locked`.execute(tx.db);
    return rows.map(({ id }) => id);
  },
  async settle(tx, ids) {
    // Read after the locks: another process may have handled some of them just before.
    for (const chat of await loadSessions(tx.db, tx.site.id, sql`c.id = any (${ids}::bigint[])`))
      await settleChatSla(tx, chat);
  },
  async putOff({ db, site }, id, until) {
    await sql`
      update chat_slas set event_at = ${until}
      where site_id = ${site.id} and conversation_id = ${id} and event_at < ${until}`.execute(db);
  },
};

/** Follows what changes the due times of chats, warns about those that are nearly due, and reports those that are late. */
export const chatSlaClock: RecurringJob = {
  name: 'chats.sla',
  everyMs: LOOK_EVERY_MS,
  due: (look) =>
    sitesWithDue(
      {
        ...{ table: 'chat_slas', id: 'conversation_id' },
        ...{ since: sql`event_at`, isDue: sql`event_at <= ${look.now}` },
      },
      look,
    ),
  run: (ctx) => settleDueRecords(ctx, dueChats),
};
