import { contract } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/tickets.ts';
import { useGround } from '../../test/ground.ts';
import { listHandoffs } from '../conversations/handoffs.ts';
import { getSession } from '../conversations/sessions.ts';
import { findVisitors, upsertVisitor } from '../visitors/visitors.ts';
import { deleteTicket, lockTicket } from './tickets.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const visitors = async () => {
  const found = await findVisitors(desk.ctx, contract['visitors.find'].input.parse({}));
  return 'items' in found ? found.items : [];
};

/** A chat that was handed off; returns its session id. */
async function openChat({ ctx }: Desk, name: string): Promise<string> {
  const { id } = await ctx.db
    .insertInto('visitors')
    .values({ site_id: ctx.site.id, key: `chatter ${name}`, email: null, name: null, merged_into_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const chat = await ctx.db
    .insertInto('conversations')
    .values({
      site_id: ctx.site.id,
      session_id: `ses_${name.padEnd(22, 'A')}`,
      visitor_id: id,
      device_id: null,
      start_client_id: '00000000-0000-4000-8000-000000000001',
    })
    .returning(['id', 'session_id'])
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('handoffs')
    .values({ site_id: ctx.site.id, conversation_id: chat.id, reason: 'no_answer', summary: 'Asks' })
    .execute();
  return chat.session_id;
}

test('a new ticket is new, of normal priority, reported by one event and one line of the audit log', async () => {
  const ticket = await desk.make({ external_id: 'crm-1', tags: ['VIP', 'parcel', 'vip'] });
  expect(ticket).toEqual({
    id: expect.any(Number),
    subject: 'Where is it?',
    description: 'My parcel has not come.',
    status: 'new',
    priority: 'normal',
    requester: { key: 'user_1', name: 'Ann', email: 'ann@example.com' },
    assignee: null,
    team: null,
    tags: ['parcel', 'vip'],
    fields: {},
    session_id: null,
    external_id: 'crm-1',
    follow_up_of: null,
    snoozed_until_utc: null,
    created_utc: expect.stringMatching(/Z$/),
    updated_utc: ticket.created_utc,
    solved_utc: null,
    spam: null,
    sla: null,
    reply_count: 0,
  });
  expect(await desk.get(ticket.id)).toEqual({ ...ticket, attachments: [], replies: [] });
  expect(await desk.events('ticket_created')).toMatchObject([
    { ticket_id: ticket.id, subject: 'Where is it?', channel: 'desk' },
  ]);
  expect(await desk.events('ticket_updated')).toEqual([]);
  expect(await desk.audit(ticket.id)).toEqual([['created', {}]]);
});

test('a ticket with an assignee is open from the start', async () => {
  const ticket = await desk.make({ assignee_id: desk.ben.id, priority: 'urgent' });
  expect(ticket).toMatchObject({ status: 'open', priority: 'urgent', assignee: desk.ben });
});

test('null is the same as omitting the field', async () => {
  const ticket = await desk.make({
    priority: null,
    tags: null,
    assignee_id: null,
    session_id: null,
    external_id: null,
    requester: { key: 'user_1', email: null, name: null },
  });
  expect(ticket).toMatchObject({ priority: 'normal', tags: [], assignee: null, requester: { email: null } });
});

test('a requester is the visitor of the key, with the given data', async () => {
  await upsertVisitor(desk.ctx, { key: 'user_1', name: 'Ann', email: 'old@example.com' });
  const { requester } = await desk.make({ requester: { key: 'user_1', email: 'new@example.com' } });
  expect(requester).toEqual({ key: 'user_1', name: 'Ann', email: 'new@example.com' });
  expect(await visitors()).toHaveLength(1);
});

test('an address alone finds its visitor, whatever its case, and changes no known name', async () => {
  await upsertVisitor(desk.ctx, { key: 'user_1', name: 'Ann', email: 'ann@example.com' });
  const ticket = await desk.make({ requester: { email: 'Ann@Example.com', name: 'Somebody' } });
  expect(ticket.requester).toEqual({ key: 'user_1', name: 'Ann', email: 'Ann@Example.com' });
  expect(await visitors()).toMatchObject([{ key: 'user_1', name: 'Ann', email: 'ann@example.com' }]);
});

test('an unknown address creates one visitor, however many tickets come at once', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => desk.make({ requester: { email: 'eve@example.com', name: 'Eve' } })),
  );
  const known = await visitors();
  expect(known).toMatchObject([
    { key: expect.stringMatching(/^anon_[\w-]{22}$/), email: 'eve@example.com', name: 'Eve' },
  ]);
  expect(new Set(made.map(({ requester }) => requester.key))).toEqual(new Set([known[0]?.key]));
});

test('a requester without key and address is refused', () => {
  const input = { subject: 'a', body: 'b' };
  for (const requester of [{}, { key: null, email: null }, undefined, { key: '' }, { phone: '1' }]) {
    expect(contract['tickets.create'].input.safeParse({ ...input, requester }).success).toBe(false);
  }
});

test('a ticket from a chat and its chat name each other, the handoff too; a deleted one leaves the one before', async () => {
  const sessionId = await openChat(desk, 'one');
  const first = await desk.make({ session_id: sessionId });
  expect(first.session_id).toBe(sessionId);
  expect((await getSession(desk.ctx, sessionId)).ticket_id).toBe(first.id);
  const [handoff] = (await listHandoffs(desk.ctx, { limit: 1, order: 'desc' })).items;
  expect(handoff?.ticket_id).toBe(first.id);

  const second = await desk.make({ session_id: sessionId });
  expect((await getSession(desk.ctx, sessionId)).ticket_id).toBe(second.id);
  const drop = (id: number) => desk.ctx.transaction(async (tx) => deleteTicket(tx, await lockTicket(tx, id)));
  await drop(second.id);
  expect((await getSession(desk.ctx, sessionId)).ticket_id).toBe(first.id);
  await drop(first.id);
  expect((await getSession(desk.ctx, sessionId)).ticket_id).toBeNull();
});

test('an unknown chat and an unknown agent are not found, and nothing is left behind', async () => {
  const other = await openDesk(ground);
  const theirs = await openChat(other, 'theirs');
  await expect(desk.make({ session_id: theirs })).rejects.toMatchObject({ code: 'not_found' });
  await expect(desk.make({ assignee_id: other.ben.id })).rejects.toMatchObject({ code: 'not_found' });
  await desk.ctx.db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('id', '=', desk.ben.id)
    .execute();
  await expect(desk.make({ assignee_id: desk.ben.id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await desk.list()).toEqual([]);
  expect(await visitors()).toEqual([]);
});

test('its tags have its own time, by which lists with a tag are sorted', async () => {
  const { id } = await desk.make({ tags: ['vip'] });
  const timeIn = (table: 'tickets' | 'ticket_tags', column: 'id' | 'ticket_id') =>
    desk.ctx.db.selectFrom(table).select('created_at').where(column, '=', id).executeTakeFirstOrThrow();
  expect(await timeIn('ticket_tags', 'ticket_id')).toEqual(await timeIn('tickets', 'id'));
});
