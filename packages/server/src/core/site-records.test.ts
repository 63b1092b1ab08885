import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from './context.ts';
import { SiteRecords } from './site-records.ts';

const tags = new SiteRecords('tags', 'tag', { notice: { kind: 'lists' } });
const macros = new SiteRecords('macros', 'macro');

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
  ground.notices.length = 0;
});

const addTag = (name: string) => tags.insert(ctx, { name, color: '#000000' });

test('another site’s record is 404 for every operation, and stays as it is', async () => {
  const tag = await addTag('urgent');
  const other = await ground.makeSite();
  const calls = [
    () => tags.get(other, tag.id),
    () => tags.lock(other, tag.id),
    () => tags.update(other, tag.id, {}),
    () => tags.update(other, tag.id, { name: 'theirs' }),
    () => tags.delete(other, tag.id),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ code: 'not_found', message: 'No such tag.' });
  expect(await tags.get(ctx, tag.id)).toEqual(tag);
});

test('a record whose name is taken is 409 and reports nothing', async () => {
  await addTag('urgent');
  const { id } = await addTag('calm');
  ground.notices.length = 0;
  const refused = {
    code: 'conflict',
    message: 'A tag named "URGENT" already exists.',
    reason: 'name_taken',
    values: { name: 'URGENT' },
  };
  await expect(addTag('URGENT')).rejects.toMatchObject(refused);
  await expect(tags.update(ctx, id, { name: 'URGENT' })).rejects.toMatchObject(refused);
  expect(ground.notices).toEqual([]);
});

test('an empty change sets no timestamp and reports nothing', async () => {
  const made = new Date('2026-03-01T09:30:00.000Z');
  const values = { name: 'Thanks', actions: '[]', created_at: made, updated_at: made };
  const macro = await macros.insert(ctx, values);
  const later = { updated_at: new Date('2026-03-02T09:30:00.000Z') };
  expect(await macros.update(ctx, macro.id, { name: undefined }, later)).toEqual(macro);
  expect(await macros.update(ctx, macro.id, { name: 'Bye' }, later)).toEqual({
    ...macro,
    name: 'Bye',
    ...later,
  });
  const tag = await addTag('urgent');
  ground.notices.length = 0;
  await tags.update(ctx, tag.id, {});
  expect(ground.notices).toEqual([]);
});

test('each write is reported, and none that is rolled back', async () => {
  const { id } = await addTag('urgent');
  await tags.update(ctx, id, { name: 'calm' });
  await tags.delete(ctx, id);
  const told = { siteId: ctx.site.id, kind: 'lists' };
  expect(ground.notices).toEqual([told, told, told]);
  const taken = ctx.transaction(async (tx) => {
    await tags.insert(tx, { name: 'gone', color: '#000000' });
    throw new Error('taken back');
  });
  await expect(taken).rejects.toThrow('taken back');
  expect(ground.notices).toHaveLength(3);
});
