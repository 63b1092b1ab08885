import { sql } from 'kysely';
import { eraseAttachmentsOf } from '../../attachments/attachments.ts';
import { lexemesOf } from '../../text/search-words.ts';
import type { VisitorRow, VisitorScope } from '../../visitors/rows.ts';
import { revokeLinksOf } from '../portal/links.ts';

const ERASED = '[erased]';
const SHORT_NAME_CHARS = 3;

/** Further addresses in the visitor's tickets. */
async function addressesOf({ db, siteId }: VisitorScope, { id, email }: VisitorRow): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct requester_email as email from tickets
    where site_id = ${siteId} and requester_id = ${id} and requester_email is not null`.execute(db);
  return [...new Set([...(email ? [email] : []), ...rows.map((row) => row.email)])];
}

/** Erases the visitor's mails as they were received, and what they added to tickets; their texts stay as replies. */
async function eraseMails(
  { db, siteId }: VisitorScope,
  { id }: VisitorRow,
  addresses: readonly string[],
): Promise<void> {
  const own = sql`select id from tickets where site_id = ${siteId} and requester_id = ${id}`;
  await sql`
    delete from received_mails
    where site_id = ${siteId}
      and (ticket_id in (${own}) or lower(from_address) = any (${addresses.map((address) => address.toLowerCase())}::text[]))`.execute(
    db,
  );
  await sql`delete from ticket_mails where site_id = ${siteId} and ticket_id in (${own})`.execute(db);
  const blocked = addresses.map((address) => address.toLowerCase());
  await sql`
    delete from blocked_senders where site_id = ${siteId} and sender = any (${blocked}::text[])`.execute(db);
  await sql`
    update audit_entries set label = null
    where site_id = ${siteId} and subject in ('blocked_sender', 'block') and label = any (${blocked}::text[])`.execute(
    db,
  );
}

/** The list of people in a column without those with these addresses. */
const withoutThem = (column: 'cc_list' | 'to_list' | 'bcc_list', addresses: readonly string[]) => sql`
  ${sql.ref(column)} = (
    select coalesce(jsonb_agg(person), '[]') from jsonb_array_elements(${sql.ref(column)}) as person
    where lower(person ->> 'address') <> all (${addresses}::text[]))`;

/**
 * The visitor's emails in other people's tickets stay there as the words of somebody unknown. Their files and addresses
 * are deleted.
 */
async function eraseFromOthers({ db, siteId }: VisitorScope, addresses: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: number; ticket_id: number }>`
    update ticket_replies set participant_name = null, participant_address = ${ERASED}
    where site_id = ${siteId} and participant_address = any (${addresses}::text[])
    returning id, ticket_id`.execute(db);
  if (rows.length === 0) return;
  const replies = rows.map(({ id }) => id);
  const tickets = [...new Set(rows.map(({ ticket_id }) => ticket_id))];
  await sql`
    delete from attachments where site_id = ${siteId} and reply_id = any (${replies}::bigint[])`.execute(db);
  await sql`
    delete from ticket_mails where site_id = ${siteId} and reply_id = any (${replies}::bigint[])`.execute(db);
  await sql`
    update ticket_mails set ${withoutThem('to_list', addresses)}, ${withoutThem('cc_list', addresses)},
      ${withoutThem('bcc_list', addresses)}
    where site_id = ${siteId} and ticket_id = any (${tickets}::bigint[])`.execute(db);
  await sql`
    update tickets set ${withoutThem('cc_list', addresses)}
    where site_id = ${siteId} and id = any (${tickets}::bigint[])`.execute(db);
}

const literally = (text: string): string => text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');

/** Matches the name as a whole word; a short name, which may be an ordinary word, only as the author of a line. */
const nameAsPattern = (name: string): string =>
  `(?<!\\w)${literally(name)}${name.length < SHORT_NAME_CHARS ? '(?=:)' : '(?!\\w)'}`;

/**
 * Removes an erased visitor's identity from tickets, which stay: from subject, text and replies, from search words
 * and audit entries. Deletes the visitor's files and revokes the portal links. The caller has locked the visitor's
 * row.
 * @param files names of files sent in chats: a chat's ticket lists them in brackets
 */
export async function eraseFromTickets(
  scope: VisitorScope,
  visitor: VisitorRow,
  files: readonly string[],
): Promise<void> {
  const { db, siteId } = scope;
  await eraseAttachmentsOf(db, siteId, visitor.id);
  await revokeLinksOf(db, siteId, visitor.id, scope.now);
  const addresses = await addressesOf(scope, visitor);
  await eraseMails(scope, visitor, addresses);
  await eraseFromOthers(
    scope,
    addresses.map((address) => address.toLowerCase()),
  );
  const own = sql`select id from tickets where site_id = ${siteId} and requester_id = ${visitor.id}`;
  await sql`delete from drafts where site_id = ${siteId} and ticket_id in (${own})`.execute(db);
  await sql`delete from ticket_fields where site_id = ${siteId} and ticket_id in (${own})`.execute(db);
  const { name } = visitor;
  const named = [...addresses, ...(name ? [name] : []), ...files];
  if (named.length > 0) {
    const pattern = [
      ...addresses.map(literally),
      ...files.map((file) => literally(`[${file}]`)),
      ...(name ? [nameAsPattern(name)] : []),
    ].join('|');
    const cleaned = (column: string) =>
      sql`${sql.ref(column)} = regexp_replace(${sql.ref(column)}, ${pattern}, ${ERASED}, 'gi')`;
    await sql`
      update tickets set ${cleaned('subject')}, ${cleaned('description')}
      where site_id = ${siteId} and requester_id = ${visitor.id}`.execute(db);
    await sql`
      update ticket_replies set ${cleaned('body')}
      where site_id = ${siteId} and ticket_id in (${own})`.execute(db);
    const words = named.flatMap((text) => lexemesOf(siteId, text));
    await sql`
      update ticket_words set words = ts_delete(words, ${words}::text[])
      where site_id = ${siteId} and ticket_id in (${own})`.execute(db);
  }
  await sql`
    update tickets set requester_email = null, cc_list = '[]', mail_subject = null
    where site_id = ${siteId} and requester_id = ${visitor.id}
      and (requester_email is not null or cc_list <> '[]' or mail_subject is not null)`.execute(db);
  // Mail servers repeat the refused address in their errors.
  await sql`
    update ticket_replies set mail_error = null
    where site_id = ${siteId} and mail_error is not null and ticket_id in (${own})`.execute(db);
  await sql`
    update audit_entries set changes = (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(changes)
      where key <> 'subject' and key not like 'fields.%')
    where site_id = ${siteId} and subject = 'ticket' and subject_id in (${own})
      and exists (select from jsonb_object_keys(changes) as key where key = 'subject' or key like 'fields.%')`.execute(
    db,
  );
}
