import type { MailAuthentication } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/tables.generated.ts';
import type { OwnMailbox } from '../../mail/mailboxes/copies.ts';
import type { MailRead } from '../reading/read-mail.ts';
import { storableText } from './store.ts';

const COLUMN_NAMES = [
  'id',
  'mailbox_id',
  'received_at',
  'envelope_from',
  'envelope_to',
  'remote_address',
  'helo',
  'size',
  'accepted_at',
  'attempts',
] as const;
const COLUMNS = sql.join(COLUMN_NAMES.map((name) => sql.ref(name)));

type Row = Selectable<Tables['received_mails']>;
/** A waiting mail, without its bytes. */
export type ReceivedRow = Pick<Row, (typeof COLUMN_NAMES)[number]>;
export type ReceivedState = Row['state'];

/** The result of processing a mail, and why, for the mail log. */
export interface Outcome {
  state: Exclude<ReceivedState, 'waiting'>;
  /** A code that the desk translates. */
  reason?: string | undefined;
  /** For people who look into it. */
  detail?: string | undefined;
  ticketId?: number | undefined;
  replyId?: number | undefined;
  /** The chat, and the message that it became. */
  said?: { conversationId: number; seq: number | null } | undefined;
}

/** A stored mail, read and checked. */
export interface ReadMail extends MailRead {
  received: ReceivedRow;
  authentication: MailAuthentication;
}

/** A mail with the mailbox that received it: everything that processing needs. */
export interface Incoming extends ReadMail {
  mailbox: OwnMailbox;
}

/** An outcome with the mail's own data, if it could be read. */
export interface Recorded extends Outcome {
  id: number;
  read?: Pick<ReadMail, 'mail' | 'authentication' | 'isRedacted'>;
  /** The hash of its content in hexadecimal, unless it repeats another mail. */
  contentHash?: string | undefined;
}

const DETAIL_MAX = 2_000;

/** Those of these mails that still wait, in the order in which they came. */
export async function findWaiting({ db, site }: SiteContext, ids: readonly number[]): Promise<ReceivedRow[]> {
  const { rows } = await sql<ReceivedRow>`${prepared}
    select ${COLUMNS} from received_mails
    where site_id = ${site.id} and id = any (${ids}::bigint[]) and state = 'waiting' and raw is not null
    order by id`.execute(db);
  return rows;
}

/** The bytes of mails that exist, by id. */
export async function rawOf(
  { db, site, services }: SiteContext,
  ids: readonly number[],
): Promise<Map<number, Buffer>> {
  const found = new Map<number, Buffer>();
  for (const id of ids) {
    const raw = services.freshMails.take(site.id, id);
    if (raw) found.set(id, raw);
  }
  const others = ids.filter((id) => !found.has(id));
  if (others.length === 0) return found;
  // The driver reads bytes as hexadecimal, which takes twice as long.
  const { rows } = await sql<{ id: number; raw: string }>`${prepared}
    select id, encode(raw, 'base64') as raw from received_mails
    where site_id = ${site.id} and id = any (${others}::bigint[]) and raw is not null`.execute(db);
  for (const { id, raw } of rows) found.set(id, Buffer.from(raw, 'base64'));
  return found;
}

/** An arbitrary number that separates these locks from others. */
const PROCESSING_LOCK = 7_306;

/** How many of a mail's newest references are locked: mails of a thread share those. */
const LOCKED_REFERENCES = 20;

/** Keys that two mails share if one may repeat, continue or flood the other. */
export const keysOf = ({ mail }: ReadMail): string[] => [
  `from ${mail.from?.address.toLowerCase() ?? ''}`,
  ...[mail.messageId ?? [], mail.refersTo.slice(0, LOCKED_REFERENCES)].flat().map((id) => `id ${id}`),
];

/**
 * Locks those of these mails that still wait, after every other batch with the same senders or threads: so each batch
 * sees the outcomes of earlier ones, and a second process with the same jobs finds them done.
 */
export async function lockWaiting(
  { db, site }: SiteContext,
  mails: readonly ReadMail[],
): Promise<Set<number>> {
  const names = mails.flatMap(keysOf).map((key) => `${site.id} ${key}`);
  // In one order, so that batches can't deadlock.
  await sql`${prepared}
    select pg_advisory_xact_lock(${PROCESSING_LOCK}, hash) from (
      select distinct hashtext(name) as hash from unnest(${names}::text[]) name order by 1
    ) locks`.execute(db);
  const ids = mails.map(({ received }) => received.id);
  const { rows } = await sql<{ id: number }>`${prepared}
    select id from received_mails
    where site_id = ${site.id} and id = any (${ids}::bigint[]) and state = 'waiting'
    order by id for update`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const wireOf = ({ id, read, contentHash, ...outcome }: Recorded) => ({
  id,
  message_id: read?.mail.messageId,
  from_address: read?.mail.from?.address,
  from_name: read?.mail.from?.name,
  subject: read?.mail.subject,
  authentication: read?.authentication,
  content_hash: contentHash,
  // A suspended mail is processed again when somebody accepts it.
  deletes_raw: read?.isRedacted === true && outcome.state !== 'suspended',
  state: outcome.state,
  reason: outcome.reason,
  detail: storableText(outcome.detail, DETAIL_MAX),
  ticket_id: outcome.ticketId,
  reply_id: outcome.replyId,
  conversation_id: outcome.said?.conversationId,
  message_seq: outcome.said?.seq,
});

/** Records the outcomes of waiting mails, and their own data for the log. */
export async function recordOutcomes(ctx: SiteContext, recorded: readonly Recorded[]): Promise<void> {
  if (recorded.length === 0) return;
  await sql`${prepared}
    update received_mails r set
      message_id = coalesce(o.message_id, r.message_id), from_address = coalesce(o.from_address, r.from_address),
      from_name = coalesce(o.from_name, r.from_name), subject = coalesce(o.subject, r.subject),
      authentication = coalesce(o.authentication, r.authentication),
      content_hash = coalesce(decode(o.content_hash, 'hex'), r.content_hash),
      raw = case when o.deletes_raw then null else r.raw end, state = o.state, reason = o.reason, detail = o.detail, ticket_id = o.ticket_id, reply_id = o.reply_id,
      conversation_id = o.conversation_id, message_seq = o.message_seq,
      attempts = r.attempts + 1, processed_at = ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(recorded.map(wireOf))}::jsonb) as o (
      id bigint, message_id text, from_address text, from_name text, subject text, authentication jsonb,
      content_hash text, deletes_raw boolean, state text, reason text, detail text, ticket_id bigint, reply_id bigint,
      conversation_id bigint, message_seq integer)
    where r.site_id = ${ctx.site.id} and r.id = o.id and r.state = 'waiting'`.execute(ctx.db);
}
