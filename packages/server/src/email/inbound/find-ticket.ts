import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { readReplyAddress } from '../../mail/mailboxes/reply-addresses.ts';
import { lockTicket, type TicketRow } from '../../tickets/tickets.ts';
import type { Incoming, Outcome, ReadMail } from './received.ts';

/** The addresses that a mail was sent to: of the envelope first, which headers can't hide. */
const recipientsOf = ({ received, mail }: Incoming): string[] => [
  ...(received.envelope_to?.split(',').map((address) => address.trim()) ?? []),
  ...['delivered-to', 'x-original-to', 'x-forwarded-to', 'envelope-to'].flatMap(
    (name) => mail.headers.get(name) ?? [],
  ),
  ...[...mail.to, ...mail.cc].map(({ address }) => address),
];

function ticketOfAddress(tx: SiteContext, incoming: Incoming): number | undefined {
  for (const recipient of recipientsOf(incoming)) {
    const found = readReplyAddress(tx.services, tx.site.id, incoming.mailbox.address, recipient);
    if (found?.target === 'ticket') return found.id;
  }
  return undefined;
}

interface ThreadMail {
  ticketId: number;
  /** Null: mails of this ticket are in no mailbox. */
  mailboxId: number | null;
}

/** The tickets of the mails that a batch refers to. */
export class Threads {
  /** By Message-ID, the newest first. */
  readonly #mails = new Map<string, ThreadMail[]>();

  /** Finds what these mails refer to. */
  static async find({ db, site }: SiteContext, mails: readonly ReadMail[]): Promise<Threads> {
    const threads = new Threads();
    const ids = new Set(mails.flatMap(({ mail }) => mail.refersTo));
    if (ids.size === 0) return threads;
    const { rows } = await sql<{ message_id: string; ticket_id: number; mailbox_id: number | null }>`
      select message_id, ticket_id, mailbox_id from (
        select distinct on (message_id, mailbox_id) message_id, mailbox_id, id, ticket_id from ticket_mails
        where site_id = ${site.id} and message_id = any (${[...ids]}::text[])
        order by message_id, mailbox_id, id desc
      ) newest order by id`.execute(db);
    for (const row of rows)
      threads.#put(row.message_id, { ticketId: row.ticket_id, mailboxId: row.mailbox_id });
    return threads;
  }

  #put(messageId: string, mail: ThreadMail): void {
    this.#mails.set(messageId, [mail, ...(this.#mails.get(messageId) ?? [])]);
  }

  /** Later mails of the batch may answer this one. */
  add({ mail, mailbox }: Incoming, { ticketId }: Outcome): void {
    if (mail.messageId !== null && ticketId !== undefined)
      this.#put(mail.messageId, { ticketId, mailboxId: mailbox.id });
  }

  /** The newest mail of the thread decides, as each id is looked for in turn. */
  ticketOf({ mail, mailbox }: Incoming): number | undefined {
    for (const id of mail.refersTo) {
      const found = this.#mails
        .get(id)
        ?.find(({ mailboxId }) => mailboxId === null || mailboxId === mailbox.id);
      if (found) return found.ticketId;
    }
    return undefined;
  }
}

/**
 * The ticket that a mail continues, locked: by a signed reply address, else by `In-Reply-To` and `References`. Never
 * by its subject or `Reply-To`, which anybody may know or set.
 */
export async function findTicket(
  tx: SiteContext,
  incoming: Incoming,
  threads: Threads,
): Promise<TicketRow | undefined> {
  const id = ticketOfAddress(tx, incoming) ?? threads.ticketOf(incoming);
  if (id === undefined) return undefined;
  const exists = await tx.db
    .selectFrom('tickets')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return exists && lockTicket(tx, id);
}
