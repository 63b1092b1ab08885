import { contract, type InputOf } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from '../core/context.ts';
import { allStarters, createStarter, deleteStarter, listStarters, updateStarter } from './starters.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const create = (label: string, position?: number) =>
  createStarter(ctx, { label, prompt: `${label}?`, ...(position === undefined ? {} : { position }) });
const list = async (input: InputOf<'conversation_starters.list'> = {}) => {
  const page = await listStarters(ctx, contract['conversation_starters.list'].input.parse(input));
  return { ...page, labels: page.items.map(({ label }) => label) };
};

test('are listed by position, then by age, page by page in both directions', async () => {
  for (const [label, position] of [
    ['c', 2],
    ['a', 1],
    ['b', 1],
    ['d', 2],
    ['e', 3],
  ] as const) {
    await create(label, position);
  }
  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, cursor: first.next_cursor ?? '' });
  expect([first.labels, second.labels, second.next_cursor]).toEqual([['a', 'b', 'c'], ['d', 'e'], null]);
  const back = await list({ order: 'desc', limit: 2 });
  const rest = await list({ order: 'desc', cursor: back.next_cursor ?? '' });
  expect([back.labels, rest.labels]).toEqual([
    ['e', 'd'],
    ['c', 'b', 'a'],
  ]);
  expect((await allStarters(ctx.db, ctx.site.id)).map(({ label }) => label)).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
});

test('are added after the last by default, and also for a position beyond the last', async () => {
  expect(await create('a')).toMatchObject({ position: 0, prompt: 'a?' });
  await create('b', 7);
  expect(await create('c')).toMatchObject({ position: 8 });
  await create('d', 10_000);
  expect(await create('e')).toMatchObject({ position: 10_000 });
  expect((await list()).labels).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('are at most 20, however many are created at once', async () => {
  const made = await Promise.allSettled(Array.from({ length: 25 }, (_, at) => create(`s${at}`)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  await expect(create('more')).rejects.toMatchObject({ code: 'conflict' });
  expect((await list()).items).toHaveLength(20);
});

test('change only in the given fields, and can be deleted', async () => {
  const { id } = await create('a');
  expect(await updateStarter(ctx, { id, label: 'b' })).toEqual({ id, label: 'b', prompt: 'a?', position: 0 });
  expect(await updateStarter(ctx, { id })).toMatchObject({ label: 'b' });
  expect(await deleteStarter(ctx, id)).toEqual({ id, deleted: true });
  await expect(deleteStarter(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('of another site look as if they did not exist', async () => {
  const other = await ground.makeSite();
  const { id } = await create('a');
  await expect(updateStarter(other, { id, label: 'b' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteStarter(other, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await allStarters(other.db, other.site.id)).toEqual([]);
  expect((await list()).labels).toEqual(['a']);
});
