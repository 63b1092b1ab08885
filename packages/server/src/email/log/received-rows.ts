import type { ReceivedMail } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

/** A mail of the log with its mailbox, without its bytes. */
export interface LoggedRow {
  id: number;
  mailbox_id: number;
  mailbox_address: string;
  route: ReceivedMail['route'];
  received_at: Date;
  from_address: string | null;
  from_name: string | null;
  subject: string | null;
  size: number;
  state: ReceivedMail['outcome'];
  reason: string | null;
  suspended_for: string | null;
  /** If its sender was blocked by a decision about it: the blocked address or domain. */
  detail: string | null;
  ticket_id: number | null;
  reply_id: number | null;
  session_id: string | null;
  has_source: boolean;
}

/** These mails of the site, in the order of their ids in the list. Of refused mails a route keeps only the headers. */
export async function loggedRows({ db, site }: SiteContext, ids: readonly number[]): Promise<LoggedRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<LoggedRow>`
    select r.id, r.mailbox_id, b.address as mailbox_address, r.route, r.received_at, r.from_address, r.from_name,
      r.subject, r.size, r.state, r.reason, r.suspended_for, r.detail, r.ticket_id, r.reply_id, c.session_id,
      coalesce(octet_length(r.raw) = r.size, false) as has_source
    from received_mails r join mailboxes b on b.site_id = r.site_id and b.id = r.mailbox_id
    left join conversations c on c.site_id = r.site_id and c.id = r.conversation_id
    where r.site_id = ${site.id} and r.id = any (${ids}::bigint[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A mail of the log as lists show it. */
export const presentReceived = (row: LoggedRow): ReceivedMail => ({
  id: row.id,
  mailbox: { id: row.mailbox_id, address: row.mailbox_address },
  route: row.route,
  received_utc: row.received_at.toISOString(),
  from: row.from_address === null ? null : { name: row.from_name, address: row.from_address },
  subject: row.subject,
  size: row.size,
  outcome: row.state,
  reason: row.reason,
  suspended_for: row.suspended_for,
  ticket_id: row.ticket_id,
  reply_id: row.reply_id,
  session_id: row.session_id,
  has_source: row.has_source,
});
