import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from './context.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
  ground.notices.length = 0;
});

/** A tag, and a notice of it. */
async function write(tx: SiteContext, name: string): Promise<void> {
  await tx.db.insertInto('tags').values({ site_id: tx.site.id, name, color: '#000000' }).execute();
  await tx.emit({ notices: [{ kind: 'session', sessionId: name }] });
}

const fail = async (tx: SiteContext, name: string): Promise<never> => {
  await write(tx, name);
  throw new Error(name);
};

const tags = async (): Promise<string[]> => {
  const rows = await ctx.db
    .selectFrom('tags')
    .select('name')
    .where('site_id', '=', ctx.site.id)
    .orderBy('id')
    .execute();
  return rows.map(({ name }) => name);
};
const told = () => ground.notices.map((notice) => 'sessionId' in notice && notice.sessionId);

test('a failed attempt leaves nothing, sends no notices, and affects nothing around it', async () => {
  await ctx.transaction(async (tx) => {
    await write(tx, 'a');
    await expect(tx.attempt((inner) => fail(inner, 'b'))).rejects.toThrow('b');
    await tx.attempt((inner) => write(inner, 'c'));
    // An error of PostgreSQL itself: without a savepoint the transaction would accept no further statement.
    await expect(tx.attempt((inner) => sql`select 1 / 0`.execute(inner.db))).rejects.toMatchObject({
      code: '22012',
    });
    await write(tx, 'd');
    expect(ground.notices).toEqual([]);
  });
  expect(await tags()).toEqual(['a', 'c', 'd']);
  expect(told()).toEqual(['a', 'c', 'd']);
});

test('nested attempts fail independently', async () => {
  await ctx.attempt(async (tx) => {
    await tx.attempt(async (inner) => {
      await write(inner, 'a');
      await expect(inner.attempt((deep) => fail(deep, 'b'))).rejects.toThrow('b');
      await inner.transaction((same) => write(same, 'c'));
    });
    await expect(
      tx.attempt(async (inner) => {
        await inner.attempt((deep) => write(deep, 'd'));
        await fail(inner, 'e');
      }),
    ).rejects.toThrow('e');
  });
  expect(await tags()).toEqual(['a', 'c']);
  expect(told()).toEqual(['a', 'c']);
});

test('a successful attempt is rolled back with a transaction that fails', async () => {
  const failing = ctx.transaction(async (tx) => {
    await tx.attempt((inner) => write(inner, 'a'));
    throw new Error('after all');
  });
  await expect(failing).rejects.toThrow('after all');
  expect([await tags(), told()]).toEqual([[], []]);
});
