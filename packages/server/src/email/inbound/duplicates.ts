import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import type { Incoming, Outcome, ReadMail } from './received.ts';

interface Original extends Pick<Outcome, 'ticketId' | 'replyId' | 'said'> {
  id: number;
}

/** The first mail with each content: among earlier mails, and within the batch. */
export class Originals {
  readonly #hashes = new Map<number, string>();
  readonly #known = new Map<string, Original>();

  /**
   * Finds earlier mails with the same contents. `lockWaiting` keeps other batches from adding one: the same mail has
   * the same sender.
   */
  static async find({ db, site }: SiteContext, mails: readonly ReadMail[]): Promise<Originals> {
    const originals = new Originals();
    for (const { received, contentHash } of mails) originals.#hashes.set(received.id, contentHash);
    const { rows } = await sql<{
      hash: string;
      id: number;
      ticket_id: number | null;
      reply_id: number | null;
      conversation_id: number | null;
      message_seq: number | null;
    }>`${prepared}
      select encode(content_hash, 'hex') as hash, id, ticket_id, reply_id, conversation_id, message_seq
      from received_mails
      where site_id = ${site.id} and content_hash = any (
        select decode(hash, 'hex') from unnest(${[...originals.#hashes.values()]}::text[]) hash)`.execute(db);
    for (const { hash, id, ticket_id, reply_id, conversation_id, message_seq } of rows)
      originals.#known.set(hash, {
        id,
        ticketId: ticket_id ?? undefined,
        replyId: reply_id ?? undefined,
        said: conversation_id === null ? undefined : { conversationId: conversation_id, seq: message_seq },
      });
    return originals;
  }

  /** The hash of a mail's content, in hexadecimal. */
  hashOf({ received }: Incoming): string {
    return this.#hashes.get(received.id) ?? '';
  }

  /** The outcome of a mail that repeats another one of this site. */
  outcomeOf(incoming: Incoming): Outcome | undefined {
    const original = this.#known.get(this.hashOf(incoming));
    if (original === undefined || original.id === incoming.received.id) return undefined;
    const { id, ...became } = original;
    return { state: 'duplicate', reason: 'same_mail', detail: `${id}`, ...became };
  }

  /** Later mails of the batch may repeat this one. */
  add(incoming: Incoming, { ticketId, replyId, said }: Outcome): void {
    this.#known.set(this.hashOf(incoming), { id: incoming.received.id, ticketId, replyId, said });
  }
}
