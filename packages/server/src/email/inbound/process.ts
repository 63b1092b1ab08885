import { withoutMalware } from '../../attachments/scan.ts';
import type { SiteContext } from '../../core/context.ts';
import { readMessageId } from '../../mail/mailboxes/message-ids.ts';
import { MailUnreadable } from '../../mime/limits.ts';
import { noiseOf } from '../../mime/noise.ts';
import { readInThread } from '../reading/reader.ts';
import { AuthenticationUnavailable, authenticateMail, UNPROVEN } from './authenticate.ts';
import { takeBounce } from './bounces.ts';
import { replyToThread } from './deliver.ts';
import { findThread } from './find-thread.ts';
import { addKnown, findKnown, type Known } from './known.ts';
import { NewTickets } from './new-tickets.ts';
import {
  findWaiting,
  type Incoming,
  lockWaiting,
  type Outcome,
  type ReadMail,
  type ReceivedRow,
  type Recorded,
  rawOf,
  recordOutcomes,
} from './received.ts';
import { replyToChat } from './reply-to-chat.ts';
import { storableText } from './store.ts';
import { suspensionOf } from './suspend.ts';

/** How often a failed lookup of the sender's domain postpones a mail. */
const POSTPONED_MAX = 2;
/** The limit of the mails that are in memory and in one transaction together, unless a single one is larger. */
const TOGETHER_MAX_BYTES = 4 * 1024 * 1024;

/** Why mails were not processed, by id: a retry may fix it. */
export type Failures = Map<number, unknown>;

/** Reads and checks a mail, which needs no lock and may take seconds. @throws MailUnreadable */
async function readMail(ctx: SiteContext, received: ReceivedRow, stored: Buffer): Promise<ReadMail> {
  const { raw, ...read } = await readInThread(ctx, stored, { envelopeFrom: received.envelope_from });
  const authentication = await authenticateMail(ctx, received, raw, read.mail).catch((error: unknown) => {
    if (error instanceof AuthenticationUnavailable && received.attempts >= POSTPONED_MAX) return UNPROVEN;
    throw error;
  });
  const files = await withoutMalware(ctx, read.mail.files);
  const isClean = files === read.mail.files;
  const mail = isClean ? read.mail : { ...read.mail, files: [...files] };
  return { ...read, received, mail, authentication, isRedacted: read.isRedacted || !isClean };
}

/** What belongs to a batch of mails. */
interface Batch {
  known: Known;
  tickets: NewTickets;
}

async function outcomeOf(tx: SiteContext, incoming: Incoming, { known, tickets }: Batch): Promise<Outcome> {
  const duplicate = known.originals.outcomeOf(incoming);
  if (duplicate) return duplicate;
  if (incoming.mail.from === null)
    return { state: 'rejected', reason: 'no_sender', detail: 'The message has no valid From address.' };
  if (readMessageId(tx.services, incoming.mail.messageId ?? ''))
    return { state: 'ignored', reason: 'own_mail' };
  const { mail, received, bounce } = incoming;
  if (bounce) {
    await tickets.create();
    return takeBounce(tx, bounce);
  }
  const thread = await findThread(tx, incoming, known.threads);
  const noise = noiseOf(mail, received.envelope_from);
  const suspension = suspensionOf(incoming, noise, thread, { senders: known.senders, now: tx.now() });
  if (suspension) return suspension;
  // Changes are made in the order in which the mails came.
  if (thread) await tickets.create();
  if (thread?.chat) return replyToChat(tx, thread.chat, incoming, { tickets, noise });
  if (thread) {
    const isAutomatic = noise !== undefined && noise !== 'bulk';
    return replyToThread(tx, thread.ticket, incoming, { known, isAutomatic });
  }
  // An automatic reply to none of our mails is for nobody.
  if (noise === 'auto_reply' && received.accepted_at === null)
    return { state: 'ignored', reason: 'auto_reply' };
  return tickets.add(incoming);
}

/** Decides about mails in the order in which they came; each sees the outcomes of earlier ones. */
async function decide(tx: SiteContext, mails: readonly ReadMail[]): Promise<void> {
  const waiting = await lockWaiting(tx, mails);
  const open = mails.filter(({ received }) => waiting.has(received.id));
  if (open.length === 0) return;
  const known = await findKnown(tx, open);
  const mailboxes = new Map(known.mailboxes.map((mailbox) => [mailbox.id, mailbox]));
  const tickets = new NewTickets(tx, known);
  const decided: { incoming: Incoming; outcome: Outcome }[] = [];
  for (const read of open) {
    const mailbox = mailboxes.get(read.received.mailbox_id);
    // Deleted since they were locked, and the mail with it.
    if (!mailbox) continue;
    const incoming = { ...read, mailbox };
    if (tickets.concern(incoming)) await tickets.create();
    const outcome = await outcomeOf(tx, incoming, { known, tickets });
    if (!tickets.has(outcome)) addKnown(known, incoming, outcome);
    decided.push({ incoming, outcome });
  }
  await tickets.create();
  const recorded = decided.map(({ incoming, outcome }): Recorded => {
    const contentHash = outcome.state === 'duplicate' ? undefined : known.originals.hashOf(incoming);
    return { ...outcome, id: incoming.received.id, read: incoming, contentHash };
  });
  await recordOutcomes(tx, recorded);
  if (recorded.some(({ state }) => state === 'suspended'))
    await tx.emit({ notices: [{ kind: 'suspended' }] });
}

/** Counts a failed attempt, and its reason, so that the log shows it while it is retried. */
async function recordFailure({ db, site }: SiteContext, id: number, error: unknown): Promise<void> {
  await db
    .updateTable('received_mails')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      detail: error instanceof Error ? storableText(error.message, 500) : null,
    }))
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** In one transaction; if that fails, one per mail, so that a bad mail blocks no other. */
async function processTogether(
  ctx: SiteContext,
  mails: readonly ReadMail[],
  failures: Failures,
): Promise<void> {
  if (mails.length === 0) return;
  try {
    await ctx.transaction((tx) => decide(tx, mails));
  } catch (error) {
    if (mails.length > 1) {
      for (const mail of mails) await processTogether(ctx, [mail], failures);
      return;
    }
    for (const { received } of mails) {
      await recordFailure(ctx, received.id, error);
      failures.set(received.id, error);
    }
  }
}

/** Reads mails, and processes the readable ones. */
async function processPart(
  ctx: SiteContext,
  part: readonly ReceivedRow[],
  failures: Failures,
): Promise<void> {
  const raws = await rawOf(
    ctx,
    part.map(({ id }) => id),
  );
  const mails: ReadMail[] = [];
  const read = async (received: ReceivedRow): Promise<void> => {
    const { id } = received;
    const raw = raws.get(id);
    if (!raw) return;
    try {
      mails.push(await readMail(ctx, received, raw));
    } catch (error) {
      if (error instanceof MailUnreadable)
        return recordOutcomes(ctx, [{ id, state: 'rejected', reason: error.reason, detail: error.message }]);
      await recordFailure(ctx, id, error);
      failures.set(id, error);
    }
  };
  await Promise.all(part.map(read));
  mails.sort((one, other) => one.received.id - other.received.id);
  await processTogether(ctx, mails, failures);
}

/** Splits mails into parts that fit into memory, in their order. */
function* partsOf(mails: readonly ReceivedRow[]): Generator<ReceivedRow[]> {
  let part: ReceivedRow[] = [];
  let bytes = 0;
  for (const mail of mails) {
    if (part.length > 0 && bytes + mail.size > TOGETHER_MAX_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(mail);
    bytes += mail.size;
  }
  if (part.length > 0) yield part;
}

/**
 * Processes stored mails of a site: everything that they change is one transaction with their outcomes, under locks of
 * their rows, so that a process that dies before or after it repeats nothing. Does nothing for mails that were
 * processed.
 * @returns what failed; such a mail still waits
 */
export async function processReceived(ctx: SiteContext, ids: readonly number[]): Promise<Failures> {
  const failures: Failures = new Map();
  if (ids.length === 0) return failures;
  for (const part of partsOf(await findWaiting(ctx, ids))) await processPart(ctx, part, failures);
  return failures;
}
