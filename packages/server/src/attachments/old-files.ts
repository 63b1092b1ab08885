import { sql } from 'kysely';
import type { RetentionPolicy } from '../core/retention-policy.ts';

/** Files of chats, replies and mails. A message that consisted only of files shows their names from then on. */
export const oldFiles: RetentionPolicy = {
  batch: 50,
  old: ({ site }, before) => sql`
    attachments r where r.site_id = ${site.id} and r.created_at < ${before}
      and (num_nonnulls(r.reply_id, r.conversation_id) = 1 or r.mail_id is not null)`,
  async purge({ db, site }, ids) {
    await sql`
      with gone as (
        delete from attachments where site_id = ${site.id} and id = any (${ids}::bigint[])
        returning conversation_id, message_seq, position, name
      ), named as (
        select conversation_id, message_seq, string_agg(name, ', ' order by position) as names
        from gone where conversation_id is not null group by 1, 2
      )
      update messages m set text = '📎 ' || n.names from named n
      where m.site_id = ${site.id} and m.conversation_id = n.conversation_id and m.seq = n.message_seq
        and m.text = ''`.execute(db);
  },
};
