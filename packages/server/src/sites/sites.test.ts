import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const { byKey } = createSiteDirectory(fixture.db, () => new Date());
  expect(await byKey(publicKey)).toMatchObject({ id, name: 'Shop', plan: 'free' });
  expect(await byKey('pk_unknown')).toBeUndefined();
  expect(await byKey(String(id))).toBeUndefined();
});

test('a site without a name is not made', async () => {
  await expect(createSite(fixture.db, { name: ' ', plan: 'free' })).rejects.toMatchObject({
    issues: [{ path: 'name' }],
  });
});

test('an update changes what it names and nothing else, here and not elsewhere, and is told', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const before = await updateSite(here.admin, {});
  const changed = await updateSite(here.admin, {
    color: '#123456',
    allowed_origins: ['https://shop.example'],
  });
  expect(changed).toEqual({ ...before, color: '#123456', allowed_origins: ['https://shop.example'] });
  expect(fixture.notices).toContainEqual({ siteId: here.site.id, kind: 'site' });
  expect((await listSites(fixture.db)).find(({ id }) => id === there.site.id)?.color).toBe(before.color);
});

test('the plan is one of the three', async () => {
  const { operator } = await fixture.newSite('free');
  expect(await setPlan(operator, 'growth')).toMatchObject({ plan: 'growth' });
  const unknown: string = 'platinum';
  await expect(setPlan(operator, unknown as 'free')).rejects.toMatchObject({ code: 'invalid_input' });
});
