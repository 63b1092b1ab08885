import { HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { isMarkedSpam, type Noise } from '../../mime/noise.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import { isBlockedSender } from '../log/blocked-senders.ts';
import type { Incoming, Outcome } from './received.ts';

/** More mails from one sender in an hour than any customer writes. */
const FLOOD_MAX = 30;
/** Mails of one sender in one ticket within ten minutes: two machines that answer each other. */
const ROUNDS_MAX = 5;
const ROUNDS_MS = 10 * MINUTE_MS;

async function isBlocked({ db, site }: SiteContext, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from visitors
    where site_id = ${site.id} and lower(email) = ${address.toLowerCase()} and erased_at is null
      and blocked_at is not null limit 1`.execute(db);
  return rows.length > 0;
}

/** How many mails of a sender came since a time. */
async function countOf(
  { db, site }: SiteContext,
  address: string,
  since: Date,
  max: number,
  ticketId?: number,
): Promise<number> {
  const inTicket = ticketId === undefined ? sql`true` : sql`ticket_id = ${ticketId}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select ticket_id from (
        select id, ticket_id, received_at from received_mails
        where site_id = ${site.id} and lower(from_address) = ${address.toLowerCase()}
        order by id desc limit ${max + 100}
      ) newest where received_at > ${since} and ${inTicket} limit ${max + 1}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

const before = (ctx: SiteContext, ms: number): Date => new Date(ctx.now().getTime() - ms);

/**
 * Whether a mail waits for a person's decision or is rejected because its sender is blocked, and why. Neither happens
 * to one that was accepted.
 * @param ticket that it continues
 */
export async function suspensionOf(
  tx: SiteContext,
  { received, mail }: Incoming,
  noise: Noise | undefined,
  ticket: TicketRow | undefined,
): Promise<Outcome | undefined> {
  if (received.accepted_at !== null) return undefined;
  const address = mail.from?.address ?? '';
  const suspended = (reason: string): Outcome => ({ state: 'suspended', reason, ticketId: ticket?.id });
  if (await isBlockedSender(tx, address)) return { state: 'rejected', reason: 'blocked_sender' };
  if (await isBlocked(tx, address)) return suspended('blocked_sender');
  if (isMarkedSpam(mail)) return suspended('spam');
  if (ticket && (await countOf(tx, address, before(tx, ROUNDS_MS), ROUNDS_MAX, ticket.id)) >= ROUNDS_MAX)
    return suspended('loop');
  if ((await countOf(tx, address, before(tx, HOUR_MS), FLOOD_MAX)) > FLOOD_MAX) return suspended('flood');
  if (ticket === undefined && (noise === 'automatic' || noise === 'bulk')) return suspended(noise);
  return undefined;
}
