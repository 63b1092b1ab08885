import { sql } from 'kysely';
import { withoutTag } from '../../base/email-address.ts';
import type { Db } from '../../db/database.ts';

/** A mailbox that a route delivers to. */
export interface RouteMailbox {
  siteId: number;
  id: number;
}

/** The enabled mailbox that receives mail to this address by SMTP; undefined for every other address. */
export async function findSmtpMailbox(db: Db, address: string): Promise<RouteMailbox | undefined> {
  const given = address.toLowerCase();
  const { rows } = await sql<RouteMailbox>`
    select site_id as "siteId", id from mailboxes
    where address in (${given}, ${withoutTag(given)}) and incoming = 'smtp' and is_enabled
    order by length(address) desc limit 1`.execute(db);
  return rows[0];
}
