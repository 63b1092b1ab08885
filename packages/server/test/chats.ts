import type pg from 'pg';
import { until } from './harness.ts';

/**
 * Waits for the chat in which a visitor has written `text`, and for the bot's answer in it. Reads the database, because
 * a desk gets only the current state of a chat, which may be past either message.
 * @returns the chat's session id
 */
export async function answeredChat(pool: pg.Pool, text: string): Promise<string> {
  let found: string | undefined;
  await until(async () => {
    const { rows } = await pool.query<{ session_id: string }>(
      `select c.session_id from conversations c
       join messages m on m.site_id = c.site_id and m.conversation_id = c.id and m.sender = 'visitor' and m.text = $1
       where exists (
         select from messages b where b.site_id = c.site_id and b.conversation_id = c.id and b.sender = 'bot' and b.seq > m.seq
       )`,
      [text],
    );
    found = rows[0]?.session_id;
    return found !== undefined;
  });
  if (!found) throw new Error('unreachable');
  return found;
}
