import type { MailPerson } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Actor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { mayAnswer } from '../../sites/agents/assignable.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import type { Incoming } from './received.ts';

/** The sender of a mail in a thread, as far as it is proven. */
export type Sender =
  | { kind: 'requester' }
  | { kind: 'agent'; agent: Extract<Actor, { kind: 'agent' }> }
  | { kind: 'participant'; person: MailPerson };

/** The agent of this site who signs in with this address and may answer. */
async function agentOf(
  { db, site }: SiteContext,
  address: string,
): Promise<Extract<Actor, { kind: 'agent' }> | undefined> {
  const { rows } = await sql<{ id: number; name: string; role: 'admin' | 'agent' }>`
    select a.id, a.name, a.role from auth_users u join agents a on a.user_id = u.id
    where u.email = ${address.toLowerCase()} and a.site_id = ${site.id} and a.removed_at is null and ${mayAnswer('a')}`.execute(
    db,
  );
  const agent = rows[0];
  return agent && { kind: 'agent', agentId: agent.id, name: agent.name, role: agent.role };
}

const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/**
 * Only a sender whose domain is proven acts as the requester or as an agent. Everybody else is a participant under the
 * name in the mail: they may write in the thread, but act as nobody else.
 */
export async function senderOf(
  tx: SiteContext,
  ticket: TicketRow,
  { mail, authentication }: Incoming,
): Promise<Sender> {
  const person = mail.from ?? { name: null, address: 'unknown' };
  if (authentication.aligned) {
    if (isSame(ticket.requester_email, person.address)) return { kind: 'requester' };
    const agent = await agentOf(tx, person.address);
    if (agent) return { kind: 'agent', agent };
  }
  return { kind: 'participant', person: { ...person, address: person.address.toLowerCase() } };
}
