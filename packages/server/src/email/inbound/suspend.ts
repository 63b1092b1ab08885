import { HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import { isMarkedSpam, type Noise } from '../../mime/noise.ts';
import { blockedAmong } from '../../sites/blocks/blocks.ts';
import { countHits } from '../../sites/blocks/find-block.ts';
import { type Place, placeOf, type Thread } from './find-thread.ts';
import type { Incoming, Outcome, ReadMail } from './received.ts';

/** More mails from one sender in an hour than any customer writes. */
const FLOOD_MAX = 30;
/** Mails of one sender in one ticket or chat within ten minutes: two machines that answer each other. */
const ROUNDS_MAX = 5;
const ROUNDS_MS = 10 * MINUTE_MS;
/** How many of a sender's newest mails are counted. */
const LOOKED_AT = FLOOD_MAX + 100;

interface EarlierMail {
  place: Place | undefined;
  receivedAt: Date;
}

interface EarlierRow {
  sender: string;
  ticket_id: number | null;
  conversation_id: number | null;
  received_at: Date;
}

function placeOfRow({ ticket_id, conversation_id }: EarlierRow): Place | undefined {
  if (ticket_id !== null) return { ticketId: ticket_id };
  return conversation_id === null ? undefined : { chatId: conversation_id };
}

const senderOf = ({ mail }: ReadMail): string => (mail.from?.address ?? '').toLowerCase();

/** What is known about the senders of a batch: who is blocked, and what they sent within the last hour. */
export class Senders {
  #rejected: ReadonlyMap<string, number> = new Map();
  #blocked: ReadonlySet<string> = new Set();
  readonly #earlier = new Map<string, EarlierMail[]>();

  /** Finds what is known about the senders of these mails. */
  static async find(tx: SiteContext, mails: readonly ReadMail[]): Promise<Senders> {
    const senders = new Senders();
    const addresses = [...new Set(mails.map(senderOf))];
    senders.#rejected = await blockedAmong(tx, addresses);
    await countHits(tx, [...new Set(senders.#rejected.values())]);
    const { rows: visitors } = await sql<{ email: string }>`${prepared}
      select distinct lower(email) as email from visitors
      where site_id = ${tx.site.id} and lower(email) = any (${addresses}::text[]) and erased_at is null
        and blocked_at is not null`.execute(tx.db);
    senders.#blocked = new Set(visitors.map(({ email }) => email));
    const ids = mails.map(({ received }) => received.id);
    const { rows } = await sql<EarlierRow>`${prepared}
      select sender, ticket_id, conversation_id, received_at from unnest(${addresses}::text[]) sender cross join lateral (
        select ticket_id, conversation_id, received_at from received_mails
        where site_id = ${tx.site.id} and lower(from_address) = sender and not id = any (${ids}::bigint[])
        order by id desc limit ${sql.lit(LOOKED_AT)}
      ) newest where received_at > ${new Date(tx.now().getTime() - HOUR_MS)}`.execute(tx.db);
    for (const row of rows) senders.#put(row.sender, { place: placeOfRow(row), receivedAt: row.received_at });
    return senders;
  }

  #put(sender: string, mail: EarlierMail): void {
    const mails = this.#earlier.get(sender);
    if (mails) mails.push(mail);
    else this.#earlier.set(sender, [mail]);
  }

  /** Adds it for later mails of the batch. */
  add(incoming: Incoming, outcome: Outcome): void {
    this.#put(senderOf(incoming), {
      place: placeOf(outcome),
      receivedAt: incoming.received.received_at,
    });
  }

  /** Whether mail of the sender is rejected. */
  isRejected(mail: ReadMail): boolean {
    return this.#rejected.has(senderOf(mail));
  }

  /** Whether a visitor with this address is blocked. */
  isBlocked(mail: ReadMail): boolean {
    return this.#blocked.has(senderOf(mail));
  }

  /** Whether the sender has reached the limit of mails within an hour. */
  isFlood(mail: ReadMail): boolean {
    return (this.#earlier.get(senderOf(mail))?.length ?? 0) >= FLOOD_MAX;
  }

  /** Whether the sender has answered in the thread so often lately that it must be a machine. */
  isLoop(mail: ReadMail, { ticket, chat }: Thread, now: Date): boolean {
    const since = now.getTime() - ROUNDS_MS;
    const rounds = (this.#earlier.get(senderOf(mail)) ?? []).filter(
      ({ place, receivedAt }) =>
        place?.ticketId === ticket?.id && place?.chatId === chat?.id && receivedAt.getTime() > since,
    );
    return rounds.length >= ROUNDS_MAX;
  }
}

/**
 * Whether a mail is suspended or rejected because its sender is blocked, and why. Accepted mails are neither.
 * @param thread that it continues
 */
export function suspensionOf(
  incoming: Incoming,
  noise: Noise | undefined,
  thread: Thread | undefined,
  { senders, now }: { senders: Senders; now: Date },
): Outcome | undefined {
  if (incoming.received.accepted_at !== null) return undefined;
  const suspended = (reason: string): Outcome => ({
    state: 'suspended',
    reason,
    ticketId: thread?.ticket?.id,
    said: thread?.chat && { conversationId: thread.chat.id, seq: null },
  });
  if (senders.isRejected(incoming)) return { state: 'rejected', reason: 'blocked_sender' };
  if (senders.isBlocked(incoming)) return suspended('blocked_sender');
  if (isMarkedSpam(incoming.mail)) return suspended('spam');
  if (thread && senders.isLoop(incoming, thread, now)) return suspended('loop');
  if (senders.isFlood(incoming)) return suspended('flood');
  if (thread === undefined && (noise === 'automatic' || noise === 'bulk')) return suspended(noise);
  return undefined;
}
