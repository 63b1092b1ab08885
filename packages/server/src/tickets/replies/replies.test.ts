import { beforeEach, describe, expect, it, test } from 'vitest';
import { type Desk, openDesk, REQUESTER } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { getTicketRow } from '../tickets.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const byRequester = { author: REQUESTER, body: 'Still nothing.' };

/** Solved and then closed, as the clock would. */
async function closedTicket(): Promise<number> {
  const { id } = await desk.make({ priority: 'high', tags: ['parcel'] });
  await desk.change(id, { status: 'solved' });
  await desk.ctx.db.updateTable('tickets').set({ status: 'closed' }).where('id', '=', id).execute();
  return id;
}

test('an agent’s public reply opens a new ticket, counts, and is reported with its author', async () => {
  const { id } = await desk.make();
  expect(await desk.reply(id, { body: 'It is on its way.' })).toMatchObject({
    status: 'open',
    reply_count: 1,
  });
  const { replies } = await desk.get(id);
  expect(replies).toMatchObject([
    {
      ticket_id: id,
      type: 'public',
      body: 'It is on its way.',
      author: { type: 'agent', ...desk.ben },
      attachments: [],
    },
  ]);
  expect(await desk.events('ticket_replied')).toMatchObject([
    {
      ticket_id: id,
      channel: 'desk',
      reply: { type: 'public', body: 'It is on its way.' },
      requester: { key: 'user_1' },
    },
  ]);
  expect(await desk.events('ticket_updated')).toMatchObject([{ changes: { status: ['new', 'open'] } }]);
  expect((await desk.audit(id)).map(([action]) => action)).toEqual(['created', 'replied', 'updated']);
});

test('a note stays with the team: it is no reply, is not counted, changes no status and is reported to nobody', async () => {
  const { id } = await desk.make();
  expect(await desk.reply(id, { type: 'note', body: 'A regular' })).toMatchObject({
    status: 'new',
    reply_count: 0,
  });
  expect((await desk.get(id)).replies).toMatchObject([{ type: 'note', body: 'A regular' }]);
  expect(await desk.events('ticket_replied')).toEqual([]);
  expect(await desk.events('ticket_updated')).toEqual([]);
  expect((await desk.audit(id)).map(([action]) => action)).toEqual(['created', 'noted']);
});

describe('a status that is set together with a reply', () => {
  it('is the ticket’s afterwards, from new too', async () => {
    const { id } = await desk.make();
    expect(await desk.reply(id, { status: 'pending' })).toMatchObject({ status: 'pending' });
    expect(await desk.reply(id, { type: 'note', status: 'solved' })).toMatchObject({ status: 'solved' });
    expect(await desk.reply(id)).toMatchObject({ status: 'solved' });
  });

  it('that is not allowed refuses the reply with it', async () => {
    const { id } = await desk.make();
    await desk.reply(id);
    await expect(desk.reply(id, { status: 'closed' })).rejects.toMatchObject({
      code: 'conflict',
      message: 'A ticket can’t go from open to closed.',
    });
    expect(await desk.get(id)).toMatchObject({ reply_count: 1, replies: [{ body: 'Soon.' }] });
  });
});

test.each(['pending', 'hold', 'solved'] as const)(
  'the requester’s reply opens a %s ticket again',
  async (status) => {
    const { id } = await desk.make();
    await desk.change(id, { status });
    expect(await desk.reply(id, byRequester)).toMatchObject({
      status: 'open',
      solved_utc: null,
      reply_count: 1,
    });
    expect((await desk.get(id)).replies).toMatchObject([
      { author: { type: 'requester', id: null, name: 'Ann' } },
    ]);
  },
);

test('the requester’s reply leaves a new ticket new, and ends a snooze', async () => {
  const { id } = await desk.make();
  expect(await desk.reply(id, byRequester)).toMatchObject({ status: 'new' });
  await desk.snooze(id, new Date(Date.now() + 60_000));
  expect(await desk.list()).toEqual([]);
  expect(await desk.reply(id, byRequester)).toMatchObject({ status: 'open', snoozed_until_utc: null });
  expect(await desk.list()).toEqual([id]);
});

test('the requester’s reply to a closed ticket creates a follow-up that links back, and the closed one stays', async () => {
  const id = await closedTicket();
  const before = await desk.get(id);
  const next = await desk.reply(id, byRequester);
  expect(next).toMatchObject({
    follow_up_of: id,
    subject: 'Where is it?',
    status: 'new',
    priority: 'high',
    tags: ['parcel'],
    requester: { key: 'user_1' },
    reply_count: 1,
  });
  expect((await desk.get(next.id)).replies).toMatchObject([{ ticket_id: next.id, body: 'Still nothing.' }]);
  expect(await desk.get(id)).toEqual(before);
  expect(await desk.events('ticket_created')).toHaveLength(2);
});

test('the team’s public reply to a closed ticket is refused, a note is not', async () => {
  const id = await closedTicket();
  await expect(desk.reply(id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await desk.reply(id, { type: 'note' })).toMatchObject({ status: 'closed' });
});

test('a follow-up outlives the ticket that it follows', async () => {
  const id = await closedTicket();
  const next = await desk.reply(id, byRequester);
  await desk.ctx.db.deleteFrom('tickets').where('id', '=', id).execute();
  expect((await getTicketRow(desk.ctx, next.id)).follow_up_of_id).toBeNull();
});

test('concurrent replies are all there, each counted once', async () => {
  const { id } = await desk.make();
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => desk.reply(id, n % 3 ? { body: `reply ${n}` } : { ...byRequester })),
  );
  const ticket = await desk.get(id);
  expect([ticket.reply_count, ticket.replies.length]).toEqual([12, 12]);
});

test('a snooze and the requester’s reply at once end in either order, never in a snoozed ticket that was answered', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await desk.make();
    await Promise.all([desk.snooze(id, new Date(Date.now() + 60_000)), desk.reply(id, byRequester)]);
    const { snoozed_until_utc, status } = await desk.get(id);
    const actions = (await desk.audit(id)).map(([action]) => action);
    const replyWasLast = actions.lastIndexOf('replied') > actions.lastIndexOf('snoozed');
    // A snooze that comes second was decided with knowledge of the reply.
    expect([status, snoozed_until_utc === null]).toEqual(replyWasLast ? ['open', true] : ['new', false]);
  }
});

test('of a ticket’s many replies it shows the newest, in order', async () => {
  const { id } = await desk.make();
  await desk.ctx.db
    .insertInto('ticket_replies')
    .values(
      Array.from({ length: 510 }, (_, n) => ({
        site_id: desk.ctx.site.id,
        ticket_id: id,
        type: 'note' as const,
        body: `note ${n}`,
        author_type: 'system' as const,
        agent_id: null,
        token_id: null,
        created_at: new Date(),
      })),
    )
    .execute();
  const { replies } = await desk.get(id);
  expect([replies.length, replies[0]?.body, replies.at(-1)?.body]).toEqual([500, 'note 10', 'note 509']);
});
