import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/** Long enough for mail programs to find the thread, short enough for a header. */
const REFERENCES_MAX = 20;
const REFERENCE_MAX = 480;

/** Printable characters without angle brackets, with something on both sides of an `@`. */
function isReference(id: string): boolean {
  const at = id.indexOf('@');
  return at > 0 && at < id.length - 1 && id.length <= REFERENCE_MAX && /^[!-;=?-~]+$/.test(id);
}

/** The thread of mails: that of a ticket or of a chat. */
type Thread =
  | { mails: 'ticket_mails'; by: 'ticket_id'; id: number }
  | { mails: 'chat_mails'; by: 'conversation_id'; id: number };

/** The Message-IDs of the mails before this one, oldest first: the thread's first mail and the newest ones. */
export async function referencesBefore(
  { db, site }: SiteContext,
  { mails, by, id }: Thread,
  mailId: number,
): Promise<string[]> {
  const before = sql`from ${sql.table(mails)}
       where site_id = ${site.id} and ${sql.ref(by)} = ${id} and id < ${mailId}`;
  const { rows } = await sql<{ message_id: string }>`
    select message_id from (
      (select id, message_id ${before} order by id limit 1)
      union
      (select id, message_id ${before} order by id desc limit ${REFERENCES_MAX})
    ) mails order by id`.execute(db);
  // Those of others come from their mails, and are used in a header.
  return rows.map(({ message_id }) => message_id).filter(isReference);
}
