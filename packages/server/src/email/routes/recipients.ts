import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** A mailbox that a route delivers to. */
export interface RouteMailbox {
  siteId: number;
  id: number;
}

/** The address without `+anything`, in lower case. */
export function baseAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return ((local.split('+', 1)[0] ?? local) + address.slice(at)).toLowerCase();
}

/** The enabled mailbox that takes mail to this address by SMTP; undefined for every other address. */
export async function findSmtpMailbox(db: Db, address: string): Promise<RouteMailbox | undefined> {
  const { rows } = await sql<RouteMailbox>`
    select site_id as "siteId", id from mailboxes
    where address in (${address.toLowerCase()}, ${baseAddress(address)}) and incoming = 'smtp' and is_enabled
    order by length(address) desc limit 1`.execute(db);
  return rows[0];
}
