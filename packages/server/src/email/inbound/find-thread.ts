import { sql } from 'kysely';
import { type EmailedChat, lockEmailedChat } from '../../conversations/emails/receive-email.ts';
import type { SiteContext } from '../../core/context.ts';
import { readReplyAddress } from '../../mail/mailboxes/reply-addresses.ts';
import { lockTicket, type TicketRow } from '../../tickets/tickets.ts';
import type { Incoming, Outcome, ReadMail } from './received.ts';

/** The addresses that a mail was sent to: first those of the envelope, which headers can't hide. */
const recipientsOf = ({ received, mail }: Incoming): string[] => [
  ...(received.envelope_to?.split(',').map((address) => address.trim()) ?? []),
  ...['delivered-to', 'x-original-to', 'x-forwarded-to', 'envelope-to'].flatMap(
    (name) => mail.headers.get(name) ?? [],
  ),
  ...[...mail.to, ...mail.cc].map(({ address }) => address),
];

/** A ticket or chat by its number. */
export type Place = { ticketId: number; chatId?: undefined } | { chatId: number; ticketId?: undefined };

function placeOfAddress(tx: SiteContext, incoming: Incoming): Place | undefined {
  for (const recipient of recipientsOf(incoming)) {
    const found = readReplyAddress(tx.services, tx.site.id, incoming.mailbox.address, recipient);
    if (found) return found.target === 'ticket' ? { ticketId: found.id } : { chatId: found.id };
  }
  return undefined;
}

interface ThreadMail {
  place: Place;
  /** Null: mails of this thread are in no mailbox. */
  mailboxId: number | null;
}

interface FoundRow {
  message_id: string;
  mailbox_id: number | null;
  ticket_id: number | null;
  conversation_id: number | null;
}

/** The ticket or chat of an outcome. */
export function placeOf({ ticketId, said }: Outcome): Place | undefined {
  if (ticketId !== undefined) return { ticketId };
  return said && { chatId: said.conversationId };
}

/** The tickets and chats that the mails of a batch refer to. */
export class Threads {
  /** By Message-ID, the newest first. */
  readonly #mails = new Map<string, ThreadMail[]>();

  /** Finds what these mails refer to. */
  static async find({ db, site }: SiteContext, mails: readonly ReadMail[]): Promise<Threads> {
    const threads = new Threads();
    const ids = new Set(mails.flatMap(({ mail }) => mail.refersTo));
    if (ids.size === 0) return threads;
    const isReferred = sql`site_id = ${site.id} and message_id = any (${[...ids]}::text[])`;
    const { rows } = await sql<FoundRow>`
      select message_id, mailbox_id, ticket_id, conversation_id from (
        (select distinct on (message_id, mailbox_id) message_id, mailbox_id, id, ticket_id, null::bigint as conversation_id
          from ticket_mails where ${isReferred} order by message_id, mailbox_id, id desc)
        union all
        (select distinct on (message_id, mailbox_id) message_id, mailbox_id, id, null, conversation_id
          from chat_mails where ${isReferred} order by message_id, mailbox_id, id desc)
      ) newest order by id`.execute(db);
    for (const { message_id, mailbox_id, ticket_id, conversation_id } of rows) {
      const place =
        ticket_id === null
          ? conversation_id !== null && { chatId: conversation_id }
          : { ticketId: ticket_id };
      if (place) threads.#put(message_id, { place, mailboxId: mailbox_id });
    }
    return threads;
  }

  #put(messageId: string, mail: ThreadMail): void {
    this.#mails.set(messageId, [mail, ...(this.#mails.get(messageId) ?? [])]);
  }

  /** Later mails of the batch may answer this one. */
  add({ mail, mailbox }: Incoming, outcome: Outcome): void {
    const place = placeOf(outcome);
    if (mail.messageId !== null && place) this.#put(mail.messageId, { place, mailboxId: mailbox.id });
  }

  /** The newest mail of the thread decides: `refersTo` begins with it. */
  placeOf({ mail, mailbox }: Incoming): Place | undefined {
    for (const id of mail.refersTo) {
      const found = this.#mails
        .get(id)
        ?.find(({ mailboxId }) => mailboxId === null || mailboxId === mailbox.id);
      if (found) return found.place;
    }
    return undefined;
  }
}

/** The ticket or chat that a mail continues, locked. */
export type Thread = { ticket: TicketRow; chat?: undefined } | { chat: EmailedChat; ticket?: undefined };

/**
 * The ticket or chat that a mail continues, locked: by a signed reply address, else by `In-Reply-To` and `References`.
 * Never by its subject or `Reply-To`, which anybody may know or set.
 */
export async function findThread(
  tx: SiteContext,
  incoming: Incoming,
  threads: Threads,
): Promise<Thread | undefined> {
  const place = placeOfAddress(tx, incoming) ?? threads.placeOf(incoming);
  if (place === undefined) return undefined;
  if (place.chatId !== undefined) {
    const chat = await lockEmailedChat(tx, place.chatId);
    return chat && { chat };
  }
  const exists = await tx.db
    .selectFrom('tickets')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('id', '=', place.ticketId)
    .executeTakeFirst();
  return exists && { ticket: await lockTicket(tx, place.ticketId) };
}
