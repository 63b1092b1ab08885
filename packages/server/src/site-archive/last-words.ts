import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/** Chats per statement. */
const BATCH = 500;

/**
 * Fills the columns that lists show of chats from their messages, where they are missing: archives of earlier
 * versions don't have them. Chats that have them are skipped, so a second run continues the first.
 */
export async function fillLastWords({ db, site }: SiteContext): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      with batch as (
        select site_id, id from conversations
        where site_id = ${site.id} and id > ${after} order by id limit ${BATCH}
      ), filled as (
        update conversations c set said_sender = said.sender, said_text = said.text, said_at = said.created_at,
          about = coalesce(c.about, asked.text)
        from batch k
        join lateral (
          select m.sender, left(m.text, 140) as text, m.created_at from messages m
          where m.site_id = k.site_id and m.conversation_id = k.id and m.sender <> 'system'
          order by m.seq desc limit 1
        ) said on true
        left join lateral (
          select left(m.text, 140) as text from messages m
          where m.site_id = k.site_id and m.conversation_id = k.id and m.sender = 'visitor' and m.text <> ''
          order by m.seq limit 1
        ) asked on true
        where c.site_id = k.site_id and c.id = k.id and c.said_at is null
      )
      select id from batch order by id`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
