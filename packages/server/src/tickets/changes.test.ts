import { beforeEach, expect, test } from 'vitest';
import { addAgentNamed, type Desk, openDesk } from '../../test/fixtures/tickets.ts';
import { useGround } from '../../test/ground.ts';
import type { TicketChange } from './changes.ts';
import { listHistory } from './history.ts';
import { getTicket, lockTicket } from './tickets.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

test('a change is written, reported and audited once, field by field', async () => {
  const { id } = await desk.make({ tags: ['parcel'] });
  const after = await desk.change(id, {
    subject: 'Parcel is late',
    status: 'pending',
    priority: 'high',
    assignee_id: desk.ben.id,
    tags: ['Late'],
    external_id: 'crm-9',
  });
  expect(after).toMatchObject({
    subject: 'Parcel is late',
    status: 'pending',
    priority: 'high',
    assignee: desk.ben,
    tags: ['Late'],
    external_id: 'crm-9',
  });
  expect(await getTicket(desk.ctx, id)).toEqual({ ...after, attachments: [], replies: [] });
  const changes = {
    subject: ['Where is it?', 'Parcel is late'],
    status: ['new', 'pending'],
    priority: ['normal', 'high'],
    assignee: [null, desk.ben],
    tags: [['parcel'], ['Late']],
    external_id: [null, 'crm-9'],
  };
  expect(await desk.events('ticket_updated')).toMatchObject([
    { ticket_id: id, changes, status: 'pending', by: { type: 'agent', ...desk.ben } },
  ]);
  expect(await desk.audit(id)).toEqual([
    ['created', {}],
    ['updated', changes],
  ]);
});

test('setting the current values is no change: nothing is written, reported or audited', async () => {
  const { id } = await desk.make({ tags: ['a', 'B'] });
  const before = await desk.change(id, { status: 'open', assignee_id: desk.ben.id });
  const same: TicketChange = {
    status: 'open',
    assignee_id: desk.ben.id,
    tags: ['b', 'A'],
    priority: 'normal',
  };
  expect(await desk.change(id, same)).toEqual(before);
  expect(await desk.change(id, {})).toEqual(before);
  expect(await desk.events('ticket_updated')).toHaveLength(1);
  expect(await desk.audit(id)).toHaveLength(2);
});

test('null removes assignee, tags and external id, and resets the priority', async () => {
  const { id } = await desk.make({
    tags: ['a'],
    assignee_id: desk.ben.id,
    external_id: 'x',
    priority: 'urgent',
  });
  const after = await desk.change(id, { tags: null, assignee_id: null, external_id: null, priority: null });
  expect(after).toMatchObject({
    tags: [],
    assignee: null,
    external_id: null,
    priority: 'normal',
    status: 'open',
  });
});

test('a new ticket is open once it is assigned, unless another status is given with it', async () => {
  const [one, two] = [await desk.make(), await desk.make()];
  expect(await desk.change(one.id, { assignee_id: desk.ben.id })).toMatchObject({ status: 'open' });
  expect(await desk.change(two.id, { assignee_id: desk.ben.id, status: 'hold' })).toMatchObject({
    status: 'hold',
  });
});

test('a change that the state machine forbids is refused, names both states, and leaves everything as it was', async () => {
  const { id } = await desk.make();
  const open = await desk.change(id, { status: 'open' });
  for (const status of ['new', 'closed'] as const) {
    await expect(desk.change(id, { status, priority: 'high', tags: ['x'] })).rejects.toMatchObject({
      code: 'conflict',
      message: `A ticket can’t go from open to ${status}.`,
    });
  }
  expect(await getTicket(desk.ctx, id)).toEqual({ ...open, attachments: [], replies: [] });
});

test('solving sets its time and ends a snooze; opening again clears the time', async () => {
  const { id } = await desk.make();
  await desk.snooze(id, new Date(Date.now() + 60_000));
  const at = new Date(Date.now() + 1_000);
  const solved = await desk.change(id, { status: 'solved' }, desk.as({ now: at }));
  expect(solved).toMatchObject({ status: 'solved', solved_utc: at.toISOString(), snoozed_until_utc: null });
  expect(await desk.list()).toEqual([id]);
  expect(await desk.change(id, { status: 'pending' })).toMatchObject({ status: 'pending', solved_utc: null });
});

test('tags are added and removed ignoring case, and are at most 50', async () => {
  const { id } = await desk.make({ tags: ['Keep', 'drop'] });
  const after = await desk.change(id, { add_tags: ['KEEP', 'new'], remove_tags: ['DROP', 'nothing'] });
  expect(after.tags).toEqual(['Keep', 'new']);
  const many = Array.from({ length: 49 }, (_, n) => `tag ${n}`);
  await expect(desk.change(id, { add_tags: many })).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await desk.change(id, { add_tags: many.slice(1) })).tags).toHaveLength(50);
});

test('two callers who tag two tickets with the same new tags, each in another order, both succeed', async () => {
  const [one, two] = [await desk.make(), await desk.make()];
  const names = Array.from({ length: 40 }, (_, n) => `race ${n}`);
  await Promise.all([
    desk.change(one.id, { tags: names }),
    desk.change(two.id, { tags: names.toReversed() }),
  ]);
  for (const { id } of [one, two]) expect((await getTicket(desk.ctx, id)).tags).toHaveLength(40);
});

test('of two who set solved and hold at once the second sees what the first did', async () => {
  const { id } = await desk.make();
  await Promise.all([
    desk.change(id, { status: 'solved' }),
    desk.change(id, { status: 'hold' }),
    desk.change(id, { priority: 'high' }),
  ]);
  const audit = await desk.audit(id);
  const statuses = audit.flatMap(([, changes]) => Object(changes).status ?? []);
  // Each began where the other ended.
  expect(statuses[0]).toBe('new');
  expect(statuses[2]).toBe(statuses[1]);
  const now = await getTicket(desk.ctx, id);
  expect(now).toMatchObject({ status: statuses[3], priority: 'high' });
  expect(now.solved_utc === null).toBe(now.status === 'hold');
});

test('the history names the author of each change, newest first, with today’s names', async () => {
  const { id } = await desk.make();
  const { id: tokenId } = await desk.ctx.db
    .insertInto('api_tokens')
    .values({
      site_id: desk.ctx.site.id,
      name: 'CI',
      token_hash: Buffer.from(`t${id}`),
      hint: 'x',
      can_write: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await desk.change(
    id,
    { priority: 'low' },
    desk.as({ actor: { kind: 'token', tokenId, canWrite: true, requestCount: 0 } }),
  );
  await desk.change(
    id,
    { assignee_id: (await addAgentNamed(desk.ctx, 'Cleo')).id },
    desk.as({ actor: { kind: 'job' } }),
  );
  await desk.ctx.db.updateTable('agents').set({ name: 'Benjamin' }).where('id', '=', desk.ben.id).execute();
  const first = await listHistory(desk.ctx, { id, limit: 2, order: 'desc' });
  expect(first.items).toMatchObject([
    {
      action: 'updated',
      author: { type: 'system', id: null },
      changes: { assignee: [null, { name: 'Cleo' }], status: ['new', 'open'] },
    },
    {
      action: 'updated',
      author: { type: 'token', id: tokenId, name: 'CI' },
      changes: { priority: ['normal', 'low'] },
    },
  ]);
  const rest = await listHistory(desk.ctx, { id, limit: 2, order: 'desc', cursor: first.next_cursor ?? '' });
  expect(rest).toMatchObject({
    items: [{ action: 'created', author: { name: 'Benjamin' } }],
    next_cursor: null,
  });
});

test('records of another site can’t be locked, read, changed or looked up', async () => {
  const other = await openDesk(ground);
  const { id } = await other.make();
  const gone = { code: 'not_found', message: 'No such ticket.' };
  await expect(desk.change(id, { priority: 'low' })).rejects.toMatchObject(gone);
  await expect(desk.reply(id)).rejects.toMatchObject(gone);
  await expect(desk.snooze(id, null)).rejects.toMatchObject(gone);
  await expect(desk.get(id)).rejects.toMatchObject(gone);
  await expect(listHistory(desk.ctx, { id, limit: 1, order: 'desc' })).rejects.toMatchObject(gone);
  await expect(desk.ctx.transaction((tx) => lockTicket(tx, 2 ** 53 - 1))).rejects.toMatchObject(gone);
  const mine = await desk.make();
  await expect(desk.change(mine.id, { assignee_id: other.ben.id })).rejects.toMatchObject({
    code: 'not_found',
  });
});
