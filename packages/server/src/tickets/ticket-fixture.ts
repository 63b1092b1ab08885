import { randomUUID } from 'node:crypto';
import {
  contract,
  type InputOf,
  type OutputOf,
  type Reply,
  type ReplyAuthor,
  type Ticket,
} from '@foyer/protocol';
import type { Ground } from '../../test/ground.ts';
import type { Actor, SiteContext } from '../context.ts';
import { changeTicket, type TicketChange } from './changes.ts';
import { createTicket } from './create.ts';
import { listTickets } from './list.ts';
import { addReply, type NewReply, replyToTicket } from './replies.ts';
import { snoozeTicket } from './snooze.ts';
import { getTicket, lockTicket, presentTicket } from './tickets.ts';

// For the tests of this folder.

export interface Desk {
  /** As its agent Ben. */
  ctx: SiteContext;
  ben: { id: number; name: string };
  /** The same site to another actor, or at another time. */
  as(parts: { actor?: Actor; now?: Date }): SiteContext;
  /** Ids of what a list finds, in its order. */
  list(input?: InputOf<'tickets.list'>): Promise<number[]>;
  make(parts?: Partial<InputOf<'tickets.create'>>, ctx?: SiteContext): Promise<Ticket>;
  get(id: number): Promise<OutputOf<'tickets.list'> & { replies: { id: number; body: string }[] } & Ticket>;
  change(id: number, change: TicketChange, ctx?: SiteContext): Promise<Ticket>;
  reply(id: number, reply?: Partial<NewReply>, ctx?: SiteContext): Promise<Ticket>;
  snooze(id: number, until: Date | null, ctx?: SiteContext): Promise<Ticket>;
  /** The bodies of events of a kind; the desk subscribes to all of them. */
  events(event: string): Promise<Record<string, unknown>[]>;
  /** What the audit log has of a ticket: action and fields. */
  audit(id: number): Promise<[action: string, changes: unknown][]>;
}

export const REQUESTER: ReplyAuthor = { type: 'requester', id: null, name: '' };

/** As it comes by the portal. */
export const answerAsRequester = (ctx: SiteContext, id: number): Promise<Reply> =>
  ctx.transaction(async (tx) =>
    replyToTicket(tx, await lockTicket(tx, id), {
      type: 'public',
      body: 'One thing more',
      author: REQUESTER,
    }),
  );

export async function addAgentNamed(ctx: SiteContext, name: string): Promise<{ id: number; name: string }> {
  const userId = randomUUID();
  await ctx.db
    .insertInto('auth_users')
    .values({ id: userId, name, email: `${userId}@example.com`, email_verified: true })
    .execute();
  return ctx.db
    .insertInto('agents')
    .values({ site_id: ctx.site.id, user_id: userId, role: 'agent', name })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
}

async function subscribe(ctx: SiteContext): Promise<void> {
  await ctx.db
    .insertInto('webhook_subscriptions')
    .values({
      site_id: ctx.site.id,
      url: 'https://a.example',
      events: ['ticket_created', 'ticket_updated', 'ticket_replied'],
      secret_cipher: Buffer.from('x'),
      secret_hint: 'xxxx',
    })
    .execute();
}

/** A site with an agent, on the ground's database. */
export async function openDesk(ground: Ground): Promise<Desk> {
  const operator = await ground.makeSite();
  const ben = await addAgentNamed(operator, 'Ben');
  await subscribe(operator);
  const actor: Actor = { kind: 'agent', agentId: ben.id, name: ben.name, role: 'agent' };
  const as: Desk['as'] = ({ now, ...parts }) =>
    ground.contextOf(operator.site.id, { actor, ...parts, ...(now ? { now: () => now } : {}) });
  const own = as({});
  const onLocked = (ctx: SiteContext, id: number, work: typeof changeTicket, change: TicketChange) =>
    ctx.transaction(async (tx) => presentTicket(await work(tx, await lockTicket(tx, id), change)));
  return {
    ctx: own,
    ben,
    as,
    async list(input = {}) {
      const found = await listTickets(own, contract['tickets.list'].input.parse(input));
      return 'items' in found ? found.items.map(({ id }) => id) : [found.id];
    },
    make: (parts = {}, ctx = own) =>
      createTicket(
        ctx,
        contract['tickets.create'].input.parse({
          subject: 'Where is it?',
          body: 'My parcel has not come.',
          requester: { key: 'user_1', email: 'ann@example.com', name: 'Ann' },
          ...parts,
        }),
      ),
    get: (id) => getTicket(own, id),
    change: (id, change, ctx = own) => onLocked(ctx, id, changeTicket, change),
    reply: (id, reply = {}, ctx = own) =>
      ctx.transaction(async (tx) => {
        const author: ReplyAuthor = { type: 'agent', ...ben };
        const row = await lockTicket(tx, id);
        return presentTicket(
          (await addReply(tx, row, { type: 'public', body: 'Soon.', author, ...reply })).row,
        );
      }),
    snooze: (id, until, ctx = own) =>
      ctx.transaction(async (tx) => presentTicket(await snoozeTicket(tx, await lockTicket(tx, id), until))),
    async events(event) {
      const rows = await own.db
        .selectFrom('webhook_events')
        .select(['event', 'body'])
        .where('site_id', '=', own.site.id)
        .orderBy('created_at')
        .execute();
      return rows.filter((row) => row.event === event).map(({ body }) => JSON.parse(body.toString()));
    },
    async audit(id) {
      const rows = await own.db
        .selectFrom('audit_entries')
        .select(['action', 'changes'])
        .where('site_id', '=', own.site.id)
        .where('subject', '=', 'ticket')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map(({ action, changes }) => [action, changes]);
    },
  };
}
