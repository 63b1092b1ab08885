import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSiteFixture, type SiteFixture } from '../../test/fixtures/sites.ts';
import { createSiteDirectory } from './directory.ts';
import { createSite, listSites, setPlan, updateSite } from './sites.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

test('a site is found by its public key, and by nothing else', async () => {
  const { id, publicKey } = await createSite(fixture.db, { name: ' Shop ', plan: 'free' });
  const directory = createSiteDirectory(fixture.db, () => new Date());
  expect(await directory.byKey(publicKey)).toMatchObject({ id, name: 'Shop', plan: 'free' });
  expect(await directory.byKey('pk_unknown')).toBeUndefined();
  expect(await directory.byKey(String(id))).toBeUndefined();
});

test('a site without a name is not created', async () => {
  await expect(createSite(fixture.db, { name: ' ', plan: 'free' })).rejects.toMatchObject({
    issues: [{ path: 'name' }],
  });
});

test('an update changes only the given fields, here and not elsewhere, and sends a notice', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const before = await updateSite(here.admin, {});
  const changed = await updateSite(here.admin, {
    color: '#123456',
    allowed_origins: ['https://shop.example'],
  });
  expect(changed).toEqual({ ...before, color: '#123456', allowed_origins: ['https://shop.example'] });
  expect(fixture.notices).toContainEqual({ siteId: here.site.id, kind: 'site' });
  for await (const { id, color } of listSites(fixture.db))
    if (id === there.site.id) expect(color).toBe(before.color);
});

test('all sites are listed, however many there are, each once and the oldest first', async () => {
  await sql`
    insert into sites (name, greeting, public_key) select 'Many', '', 'pk_' || gen_random_uuid()
    from generate_series(1, 1201)`.execute(fixture.db);
  const ids: number[] = [];
  for await (const { id } of listSites(fixture.db)) ids.push(id);
  const { rows } = await sql<{ id: number }>`select id from sites order by id`.execute(fixture.db);
  expect(ids).toEqual(rows.map(({ id }) => id));
});

/** Counts statements. */
function countingDirectory() {
  let asked = 0;
  const counted = fixture.db.withPlugin({
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const directory = createSiteDirectory(counted, () => new Date());
  const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = asked;
    await work();
    return asked - before;
  };
  return { directory, statementsOf };
}

describe('the cache of sites', () => {
  test('reads a site once, however it is found, and drops it alone', async () => {
    const [one, other] = [
      await createSite(fixture.db, { name: 'One', plan: 'free' }),
      await createSite(fixture.db, { name: 'Other', plan: 'free' }),
    ];
    const { directory, statementsOf } = countingDirectory();
    const find = async (): Promise<void> => {
      for (const { id, publicKey } of [one, other]) {
        await directory.byKey(publicKey);
        await directory.byId(id);
        await directory.byHelpSlug(publicKey);
      }
    };
    expect(await statementsOf(find)).toBe(4);
    expect(await statementsOf(find)).toBe(0);
    directory.forget(one.id);
    expect(await statementsOf(find)).toBe(2);
    directory.forget();
    expect(await statementsOf(find)).toBe(4);
  });

  test('forgets an unknown address that a site gets later', async () => {
    const { directory } = countingDirectory();
    const { id } = await createSite(fixture.db, { name: 'Late', plan: 'free' });
    expect(await directory.byHelpSlug('late-shop')).toBeUndefined();
    await fixture.db.updateTable('sites').set({ help_slug: 'late-shop' }).where('id', '=', id).execute();
    expect(await directory.byHelpSlug('late-shop')).toBeUndefined();
    directory.forget(id);
    expect(await directory.byHelpSlug('late-shop')).toMatchObject({ id });
  });

  test('is not displaced by invented addresses', async () => {
    const { id, publicKey } = await createSite(fixture.db, { name: 'Kept', plan: 'free' });
    const { directory, statementsOf } = countingDirectory();
    await directory.byKey(publicKey);
    for (let n = 0; n < 1_100; n++) await directory.byKey(`pk_made_up_${n}`);
    expect(await statementsOf(() => directory.byKey(publicKey))).toBe(0);
    expect(await directory.byId(id)).toMatchObject({ name: 'Kept' });
  });
});

test('the plan is one of the three', async () => {
  const { operator } = await fixture.newSite('free');
  expect(await setPlan(operator, 'growth')).toMatchObject({ plan: 'growth' });
  const unknown: string = 'platinum';
  await expect(setPlan(operator, unknown as 'free')).rejects.toMatchObject({ code: 'invalid_input' });
});
