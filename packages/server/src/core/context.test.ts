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

test('an attempt that fails leaves nothing, is told to nobody, and spoils nothing around it', async () => {
  await ctx.transaction(async (tx) => {
    await write(tx, 'a');
    await expect(tx.attempt((inner) => fail(inner, 'b'))).rejects.toThrow('b');
    await tx.attempt((inner) => write(inner, 'c'));
    // One that PostgreSQL itself refuses: without a savepoint the transaction would take no further statement.
    await expect(tx.attempt((inner) => sql`select 1 / 0`.execute(inner.db))).rejects.toMatchObject({
      code: '22012',
    });
    await write(tx, 'd');
    expect(ground.notices).toEqual([]);
  });
  expect(await tags()).toEqual(['a', 'c', 'd']);
  expect(told()).toEqual(['a', 'c', 'd']);
});

test('attempts within attempts fail each by itself', async () => {
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

test('an attempt that succeeds goes with a transaction that fails', async () => {
  const failing = ctx.transaction(async (tx) => {
    await tx.attempt((inner) => write(inner, 'a'));
    throw new Error('after all');
  });
  await expect(failing).rejects.toThrow('after all');
  expect([await tags(), told()]).toEqual([[], []]);
});
