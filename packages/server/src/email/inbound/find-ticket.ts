import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { readReplyAddress } from '../../mail/mailboxes/reply-addresses.ts';
import { lockTicket, type TicketRow } from '../../tickets/tickets.ts';
import type { Incoming } from './received.ts';

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

/** The newest mail of the thread decides, as each id is looked for in turn. */
async function ticketOfReferences(
  { db, site }: SiteContext,
  { mail, mailbox }: Incoming,
): Promise<number | undefined> {
  const { rows } = await sql<{ ticket_id: number }>`
    select m.ticket_id from unnest(${mail.refersTo}::text[]) with ordinality as r (id, place)
    join ticket_mails m on m.site_id = ${site.id} and m.message_id = r.id
      and (m.mailbox_id = ${mailbox.id} or m.mailbox_id is null)
    order by r.place, m.id desc limit 1`.execute(db);
  return rows[0]?.ticket_id;
}

/**
 * The ticket that a mail continues, locked: by a signed reply address, else by `In-Reply-To` and `References`. Never
 * by its subject or `Reply-To`, which anybody may know or set.
 */
export async function findTicket(tx: SiteContext, incoming: Incoming): Promise<TicketRow | undefined> {
  const id = ticketOfAddress(tx, incoming) ?? (await ticketOfReferences(tx, incoming));
  if (id === undefined) return undefined;
  const exists = await tx.db
    .selectFrom('tickets')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return exists && lockTicket(tx, id);
}
