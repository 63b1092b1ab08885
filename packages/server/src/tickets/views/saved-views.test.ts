import { contract, type InputOf, type SavedView, VIEW_LIMIT } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { addAgentNamed, type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { deleteTag } from '../../tags/tags.ts';
import { createView, deleteView, listViews, updateView } from './saved-views.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

type Parts = Partial<InputOf<'saved_views.create'>>;
const make = (parts: Parts = {}, on: Desk = desk): Promise<SavedView> =>
  createView(on.ctx, contract['saved_views.create'].input.parse({ name: 'View', ...parts }));
const list = async (input: InputOf<'saved_views.list'> = {}, on: Desk = desk) => {
  const page = await listViews(on.ctx, contract['saved_views.list'].input.parse(input));
  if (!('items' in page)) throw new Error('not a page');
  return { names: page.items.map(({ name }) => name), cursor: page.next_cursor ?? '', items: page.items };
};
const one = async (id: number, on: Desk = desk): Promise<SavedView> => {
  const view = await listViews(on.ctx, contract['saved_views.list'].input.parse({ id }));
  if ('items' in view) throw new Error('not a view');
  return view;
};
const remove = (agentId: number) =>
  desk.ctx.db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', agentId)
    .execute();

test('are listed by position, then by age, in pages of both directions', async () => {
  for (const [name, position] of [
    ['c', 2],
    ['a', 1],
    ['b', 1],
    ['d', 2],
  ] as const)
    await make({ name, position });
  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, cursor: first.cursor });
  expect([first.names, second.names, second.cursor]).toEqual([['a', 'b', 'c'], ['d'], '']);
  const back = await list({ order: 'desc', limit: 2 });
  expect([back.names, (await list({ order: 'desc', cursor: back.cursor })).names]).toEqual([
    ['d', 'c'],
    ['b', 'a'],
  ]);
});

test('are added after the last by default, and select everything that is not snoozed, newest first', async () => {
  expect(await make()).toEqual({
    id: expect.any(Number),
    name: 'View',
    filter: {},
    sort: '-created',
    position: 0,
    visibility: 'everyone',
    team_id: null,
    count: 0,
  });
  await make({ position: 10_000 });
  expect(await make()).toMatchObject({ position: 10_000 });
});

test('are at most as many as a site may have, however many are created at once', async () => {
  await ground.db
    .insertInto('saved_views')
    .values(
      Array.from({ length: VIEW_LIMIT - 2 }, () => ({
        site_id: desk.ctx.site.id,
        name: 'x',
        filter: '{}',
        sort: '-created' as const,
        position: 0,
      })),
    )
    .execute();
  const made = await Promise.allSettled(Array.from({ length: 6 }, () => make()));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(make()).rejects.toMatchObject({ code: 'conflict' });
});

test('change only in the given fields; a filter is replaced as a whole', async () => {
  const before = await make({ filter: { status: 'open', tag: 'vip' }, sort: 'updated' });
  expect(await updateView(desk.ctx, { id: before.id })).toEqual(before);
  const after = await updateView(desk.ctx, { id: before.id, filter: { priority: 'low' }, position: 7 });
  expect(after).toEqual({ ...before, filter: { priority: 'low' }, position: 7 });
  expect(await one(before.id)).toEqual(after);
  expect(await updateView(desk.ctx, { id: before.id, name: 'Late', sort: '-priority' })).toEqual({
    ...after,
    name: 'Late',
    sort: '-priority',
  });
  expect(await deleteView(desk.ctx, before.id)).toEqual({ id: before.id, deleted: true });
  await expect(deleteView(desk.ctx, before.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('select the tickets of their filter in their order, which a list may narrow and reverse', async () => {
  const low = await desk.make({ priority: 'low', tags: ['vip'] });
  const urgent = await desk.make({ priority: 'urgent', tags: ['VIP'] });
  const high = await desk.make({ priority: 'high', tags: ['vip'], assignee_id: desk.ben.id });
  await desk.make({ priority: 'urgent' });
  const { id: view, count } = await make({ filter: { tag: 'Vip' }, sort: '-priority' });
  expect(count).toBe(3);
  expect(await desk.list({ view })).toEqual([urgent.id, high.id, low.id]);
  expect(await desk.list({ view, sort: 'created' })).toEqual([low.id, urgent.id, high.id]);
  expect(await desk.list({ view, assignee_id: 'none' })).toEqual([urgent.id, low.id]);
  expect(await desk.list({ view, tag: 'other' })).toEqual([]);
  await desk.snooze(high.id, new Date(Date.now() + 3_600_000));
  expect(await desk.list({ view })).toEqual([urgent.id, low.id]);
  expect(await desk.list({ view, snoozed: true })).toEqual([high.id]);
  expect((await one(view)).count).toBe(2);
});

test('stay when a record in their filter is deleted, and find nothing', async () => {
  const gone = await addAgentNamed(desk.ctx, 'Gone');
  await desk.make({ tags: ['brief'], requester: { key: 'user_9' }, assignee_id: gone.id });
  const views = await Promise.all([
    make({ name: 'tag', filter: { tag: 'brief' } }),
    make({ name: 'never', filter: { tag: 'never was', requester_key: 'nobody' } }),
    make({ name: 'agent', filter: { assignee_id: gone.id } }),
  ]);
  expect(views.map(({ count }) => count)).toEqual([1, 0, 1]);
  const tag = await ground.db
    .selectFrom('tags')
    .select('id')
    .where('site_id', '=', desk.ctx.site.id)
    .executeTakeFirstOrThrow();
  await deleteTag(desk.ctx, tag.id);
  await remove(gone.id);
  const { items } = await list();
  expect(Object.fromEntries(items.map(({ name, count }) => [name, count]))).toEqual({
    tag: 0,
    never: 0,
    agent: 1,
  });
  for (const { id } of views.slice(0, 2)) expect(await desk.list({ view: id })).toEqual([]);
});

test('are not created with an unknown assignee', async () => {
  const other = await openDesk(ground);
  const gone = await addAgentNamed(desk.ctx, 'Gone');
  await remove(gone.id);
  const { id } = await make();
  for (const assignee_id of [other.ben.id, gone.id, 2 ** 53 - 1]) {
    await expect(make({ filter: { assignee_id } })).rejects.toMatchObject({ code: 'not_found' });
    await expect(updateView(desk.ctx, { id, filter: { assignee_id } })).rejects.toMatchObject({
      code: 'not_found',
    });
  }
  expect(await make({ filter: { assignee_id: 'none' } })).toMatchObject({ filter: { assignee_id: 'none' } });
});

test('of another site look as if they did not exist, and count nothing of it', async () => {
  const other = await openDesk(ground);
  await other.make({ tags: ['vip'] });
  const { id } = await make({ filter: { tag: 'vip' } });
  const notFound = { code: 'not_found', message: 'No such saved view.' };
  await expect(one(id, other)).rejects.toMatchObject(notFound);
  await expect(updateView(other.ctx, { id, name: 'x' })).rejects.toMatchObject(notFound);
  await expect(deleteView(other.ctx, id)).rejects.toMatchObject(notFound);
  expect((await list({}, other)).items).toEqual([]);
  expect((await list()).items).toMatchObject([{ id, count: 0 }]);
  const theirs = await make({}, other);
  await expect(desk.list({ view: theirs.id })).rejects.toMatchObject(notFound);
});

test.each([
  ['a view in a view', { view: 1 }],
  ['an unknown field', { odd: 'x' }],
  ['paging', { limit: 5 }],
  ['an unknown status', { status: 'done' }],
  ['an assignee that is none', { assignee_id: 'me' }],
  ['a time that is none', { since: 'yesterday' }],
  ['text for a switch', { snoozed: 'true' }],
])('refuse %s in their filter', (_what, filter) => {
  const { error } = contract['saved_views.create'].input.safeParse({ name: 'x', filter });
  expect(error?.issues[0]?.path[0]).toBe('filter');
});
