import { contract, type InputOf, type Macro } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { addAgentNamed, type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { changeInBulk } from '../bulk.ts';
import {
  createMacro,
  deleteMacro,
  getMacro,
  listMacros,
  macroUses,
  noteMacroUse,
  updateMacro,
} from './macros.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

type Actions = InputOf<'macros.create'>['actions'];
const URGENT: Actions = [{ type: 'set_priority', priority: 'urgent' }];
const make = (name: string, actions: Actions = URGENT, on: Desk = desk): Promise<Macro> =>
  createMacro(on.ctx, contract['macros.create'].input.parse({ name, actions }));
const list = (input: InputOf<'macros.list'> = {}, on: Desk = desk) =>
  listMacros(on.ctx, contract['macros.list'].input.parse(input));

test('are listed newest first, page by page, and found by id', async () => {
  const made = [await make('a'), await make('b'), await make('c')];
  const first = await list({ limit: 2 });
  if (!('items' in first)) throw new Error('not a page');
  expect(first.items).toEqual([made[2], made[1]]);
  const rest = await list({ limit: 2, cursor: first.next_cursor ?? '' });
  expect(rest).toMatchObject({ items: [made[0]], next_cursor: null });
  expect(await list({ order: 'asc' })).toMatchObject({ items: made });
  expect(await list({ id: made[1]?.id ?? 0 })).toEqual(made[1]);
});

test('keep their actions in the order and shape in which they were given', async () => {
  const actions: Actions = [
    { type: 'reply', body: 'Hello {{visitor.name}}' },
    { type: 'note', body: 'Told them.' },
    { type: 'set_status', status: 'pending' },
    { type: 'set_priority', priority: 'high' },
    { type: 'assign', assignee_id: desk.ben.id },
    { type: 'assign', assignee_id: null },
    { type: 'add_tags', tags: ['a', 'b'] },
    { type: 'remove_tags', tags: ['c'] },
    { type: 'snooze', minutes: 90 },
  ];
  const { id } = await make('All of it', actions);
  expect((await getMacro(desk.ctx, id)).actions).toEqual(actions);
});

test('have names that are unique ignoring case, even when two are created at once', async () => {
  const { id } = await make('Thank You');
  await expect(make('thank you')).rejects.toMatchObject({
    code: 'conflict',
    message: 'A macro named "thank you" already exists.',
  });
  const other = await make('Other');
  await expect(updateMacro(desk.ctx, { id: other.id, name: 'THANK YOU' })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await updateMacro(desk.ctx, { id, name: 'THANK YOU' })).toMatchObject({ name: 'THANK YOU' });
  const at = await Promise.allSettled(Array.from({ length: 8 }, () => make('Same')));
  expect(at.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('change only in the given fields', async () => {
  const before = await make('a');
  expect(await updateMacro(desk.ctx, { id: before.id })).toEqual(before);
  const later = new Date(Date.parse(before.created_utc) + 60_000);
  const renamed = await updateMacro(desk.as({ now: later }), { id: before.id, name: 'b' });
  expect(renamed).toEqual({ ...before, name: 'b', updated_utc: later.toISOString() });
  const actions: Actions = [{ type: 'snooze', minutes: 5 }];
  expect(await updateMacro(desk.ctx, { id: before.id, actions })).toMatchObject({ name: 'b', actions });
});

test('assign to no unknown agent', async () => {
  const other = await openDesk(ground);
  const gone = await addAgentNamed(desk.ctx, 'Gone');
  await desk.ctx.db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', gone.id)
    .execute();
  const { id } = await make('mine');
  for (const assignee_id of [other.ben.id, gone.id, 2 ** 53 - 1]) {
    const actions: Actions = [...URGENT, { type: 'assign', assignee_id }];
    await expect(make('theirs', actions)).rejects.toMatchObject({ code: 'not_found' });
    await expect(updateMacro(desk.ctx, { id, actions })).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await getMacro(desk.ctx, id)).toMatchObject({ actions: URGENT });
});

test('of another site look as if they did not exist', async () => {
  const other = await openDesk(ground);
  const { id } = await make('a');
  const notFound = { code: 'not_found', message: 'No such macro.' };
  await expect(list({ id }, other)).rejects.toMatchObject(notFound);
  await expect(updateMacro(other.ctx, { id })).rejects.toMatchObject(notFound);
  await expect(updateMacro(other.ctx, { id, name: 'b' })).rejects.toMatchObject(notFound);
  await expect(deleteMacro(other.ctx, id)).rejects.toMatchObject(notFound);
  expect(await list({}, other)).toMatchObject({ items: [] });
  expect(await make('a', URGENT, other)).toMatchObject({ name: 'a' });
  expect(await deleteMacro(desk.ctx, id)).toEqual({ id, deleted: true });
  await expect(deleteMacro(desk.ctx, id)).rejects.toMatchObject(notFound);
});

test.each([
  ['no action', []],
  ['too many', Array.from({ length: 21 }, () => URGENT[0])],
  ['an unknown one', [{ type: 'explode' }]],
  ['a field of another', [{ type: 'snooze', minutes: 5, body: 'x' }]],
  ['no tag', [{ type: 'add_tags', tags: [] }]],
  ['an empty text', [{ type: 'reply', body: ' ' }]],
  ['a status that there is not', [{ type: 'set_status', status: 'done' }]],
  ['a snooze of no time', [{ type: 'snooze', minutes: 0 }]],
  ['an id that is none', [{ type: 'assign', assignee_id: '1' }]],
])('refuse %s', (_what, actions) => {
  expect(contract['macros.create'].input.safeParse({ name: 'a', actions }).success).toBe(false);
});

test('are counted when they are applied, in bulk for each ticket, and their record doesn’t change', async () => {
  const [seldom, often] = [await make('seldom'), await make('often')];
  const ids = [(await desk.make()).id, (await desk.make()).id, 2 ** 53 - 1];
  await changeInBulk(desk.ctx, { ids, action: 'apply_macro', macro_id: often.id });
  await noteMacroUse(desk.ctx, often.id);
  await noteMacroUse(desk.ctx, seldom.id, 0);
  expect((await macroUses(desk.ctx)).macros).toEqual([
    { id: often.id, uses: 3, last_used_utc: expect.any(String) },
    { id: seldom.id, uses: 0, last_used_utc: null },
  ]);
  expect(await getMacro(desk.ctx, often.id)).toEqual(often);
});
