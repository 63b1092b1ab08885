import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import type { ImapFlow } from 'imapflow';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../../core/context.ts';
import type { Tables } from '../../../db/tables.generated.ts';
import type { MailProviderId } from '../../../mail/oauth/providers.ts';

/** Clocks differ, and servers compare days in their own time zone. */
const OVERLAP_MS = 2 * DAY_MS;
/** How far the server's clock may be behind ours. */
const CLOCK_MS = MINUTE_MS;
/** Messages per request for times of arrival. */
const TIMES_AT_ONCE = 100;
/** Hexadecimal digits that tell the folders of one mailbox apart. */
const FOLDER_CHARS = 16;

/** A mailbox, and the provider that it signs in with; null: it has a password. */
export type ImapRow = Selectable<Tables['mailboxes']> & { provider: MailProviderId | null };

/** Where the next fetch continues: after this UID, while the folder has this UIDVALIDITY. */
export interface Position {
  uidValidity: number;
  lastUid: number;
  /** Set at a first connection: mail that came earlier stays unread. */
  since?: Date;
  /** Messages up to `lastUid` to read first. The position may be stored once they are. */
  earlier: readonly number[];
}

/**
 * The UIDs below the next one of messages that arrived since a day, the smallest first. UIDs don't say when a message
 * arrived: old mail that is copied into a folder keeps its time there.
 */
async function uidsSince(client: ImapFlow, uidNext: number, since: Date): Promise<number[]> {
  const found = await client.search({ since }, { uid: true });
  return (Array.isArray(found) ? found : []).filter((uid) => uid < uidNext).toSorted((a, b) => a - b);
}

/** The same to the second; a search has only days. */
async function uidsSinceTime(client: ImapFlow, uidNext: number, since: Date): Promise<number[]> {
  const uids = await uidsSince(client, uidNext, new Date(since.getTime() - DAY_MS));
  const later: number[] = [];
  for (let at = 0; at < uids.length; at += TIMES_AT_ONCE) {
    const some = uids.slice(at, at + TIMES_AT_ONCE).join(',');
    const found = await client.fetchAll(some, { uid: true, internalDate: true }, { uid: true });
    const inTime = found.filter(({ internalDate }) => !internalDate || new Date(internalDate) >= since);
    later.push(...inTime.map(({ uid }) => uid));
  }
  return later.toSorted((a, b) => a - b);
}

/** Some servers don't predict the next UID. */
async function nextUid(client: ImapFlow): Promise<number> {
  const opened = client.mailbox;
  if (opened && opened.uidNext > 0) return opened.uidNext;
  const found = await client.search({ uid: '*' }, { uid: true });
  return (Array.isArray(found) ? Math.max(0, ...found) : 0) + 1;
}

/**
 * Where to continue in the opened folder. A first connection begins with new mail, or that of the last days; it reads
 * no older message. If the server has renumbered its messages (UIDVALIDITY), everything since the last fetch is fetched
 * again: stored mails are recognised by their content. Mail from before the first connection to the folder was never
 * stored, and stays unread.
 */
export async function startPosition(client: ImapFlow, row: ImapRow, now: Date): Promise<Position> {
  const opened = client.mailbox;
  if (!opened) throw new Error('no folder is open');
  const uidValidity = Number(opened.uidValidity);
  const { imap_uid_validity: known, imap_last_uid: last, imap_days: days } = row;
  if (known === uidValidity && last !== null) return { uidValidity, lastUid: last, earlier: [] };
  const uidNext = await nextUid(client);
  const position = { uidValidity, lastUid: uidNext - 1 };
  if (known === null || last === null) {
    const since = new Date(now.getTime() - days * DAY_MS);
    return { ...position, since, earlier: days > 0 ? await uidsSince(client, uidNext, since) : [] };
  }
  const seenAt = Math.min(
    ...[row.failing_since, row.checked_at ?? row.created_at].map((at) => at?.getTime() ?? Infinity),
  );
  // Mailboxes that earlier versions connected have no `imap_since`.
  const begin = (row.imap_since?.getTime() ?? row.created_at.getTime() - days * DAY_MS) - CLOCK_MS;
  const since = new Date(Math.max(begin, seenAt - OVERLAP_MS));
  return { ...position, earlier: await uidsSinceTime(client, uidNext, since) };
}

/** The UIDs after the position, the smallest first. `n:*` always includes the last message, whatever its UID. */
export async function uidsBehind(client: ImapFlow, { lastUid }: Position): Promise<number[]> {
  const found = await client.search({ uid: `${lastUid + 1}:*` }, { uid: true });
  return (Array.isArray(found) ? found : []).filter((uid) => uid > lastUid).toSorted((a, b) => a - b);
}

/** A message's id among all that the mailbox receives. Another folder may have the same numbers. */
export function sourceOf(row: ImapRow, { uidValidity }: Position, uid: number): string {
  const folder = [row.imap_host, row.imap_username, row.imap_folder].join('\0');
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, FOLDER_CHARS);
  return `${uidValidity}:${uid}@${hash}`;
}

/** The mailbox as its reader found it, with the same position in the same folder. */
const unchanged = (ctx: SiteContext, row: ImapRow) => sql`
  site_id = ${ctx.site.id} and id = ${row.id} and imap_host = ${row.imap_host}
  and imap_username = ${row.imap_username} and imap_folder = ${row.imap_folder}
  and imap_uid_validity is not distinct from ${row.imap_uid_validity}
  and imap_last_uid is not distinct from ${row.imap_last_uid}`;

/** Those of the earlier messages that an interrupted reader hasn't stored. */
export async function unstoredEarlier(ctx: SiteContext, row: ImapRow, position: Position): Promise<number[]> {
  const sources = position.earlier.map((uid) => sourceOf(row, position, uid));
  if (sources.length === 0) return [];
  const { rows } = await sql<{ source: string }>`
    select source from received_mails
    where site_id = ${ctx.site.id} and mailbox_id = ${row.id} and source = any (${sources}::text[])`.execute(
    ctx.db,
  );
  const stored = new Set(rows.map(({ source }) => source));
  return position.earlier.filter((_uid, at) => !stored.has(sources[at] ?? ''));
}

/**
 * Locks the mailbox in the transaction that stores one of the earlier messages. The position doesn't move with them: a
 * reader that is interrupted looks for them again.
 * @returns false if another process has stored the position, or the mailbox has changed
 */
export async function holdStart(tx: SiteContext, row: ImapRow): Promise<boolean> {
  const { rows } = await sql`
    select from mailboxes where ${unchanged(tx, row)} for no key update`.execute(tx.db);
  return rows.length > 0;
}

/** Stores where a folder begins. Does nothing if another process has meanwhile, or the mailbox has changed. */
export async function saveStart(ctx: SiteContext, row: ImapRow, position: Position): Promise<void> {
  if (row.imap_uid_validity === position.uidValidity && row.imap_last_uid !== null) return;
  await sql`
    update mailboxes set imap_uid_validity = ${position.uidValidity}, imap_last_uid = ${position.lastUid},
      imap_since = coalesce(${position.since ?? null}::timestamptz, imap_since)
    where ${unchanged(ctx, row)}`.execute(ctx.db);
}

/**
 * Claims the next message in the caller's transaction, which stores it: the position moves with the commit, or not at
 * all. Locks the mailbox, so that two processes during a handover store each message once.
 * @returns false if it was claimed before, or the mailbox has changed
 */
export async function takeUid(
  tx: SiteContext,
  id: number,
  { uidValidity }: Position,
  uid: number,
): Promise<boolean> {
  const { rows } = await sql`
    update mailboxes set imap_last_uid = ${uid}
    where site_id = ${tx.site.id} and id = ${id} and imap_uid_validity = ${uidValidity} and imap_last_uid < ${uid}
    returning id`.execute(tx.db);
  return rows.length > 0;
}
