import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpOf, openSiteFixture, type SiteFixture } from '../../../test/fixtures/sites.ts';
import {
  createBrowserToken,
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
  updateBrowserToken,
} from './api-tokens.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

test('a new token is 256 random bits, shown once with its last four characters and its scopes', async () => {
  const { admin } = await fixture.newSite();
  const made = await createToken(admin, { name: 'CI', scopes: 'read,write' });
  expect(made.token).toMatch(/^foy_[A-Za-z0-9_-]{43}$/);
  expect(made).toMatchObject({ name: 'CI', scopes: ['read', 'write'], hint: made.token.slice(-4) });
  expect(made).toMatchObject({ request_count: 0, last_used_utc: null, revoked_utc: null, daily: [] });
  const [listed] = await listTokens(admin);
  expect(listed).toEqual({ ...made, token: undefined });
  expect(JSON.stringify(listed)).not.toContain(made.token);
});

test('the raw token is nowhere in the database, as text or as bytes, before and after a rotation', async () => {
  const { admin } = await fixture.newSite();
  const made = await createToken(admin, { name: 'CI', scopes: 'read' });
  const rotated = await rotateToken(admin, made.id);
  const dump = await dumpOf(fixture);
  expect(dump).toContain(made.name);
  for (const raw of [made.token, rotated.token, made.token.slice(4), rotated.token.slice(4)]) {
    expect(dump).not.toContain(raw);
    expect(dump).not.toContain(Buffer.from(raw).toString('hex'));
  }
});

test('rotation gives another secret to the same token and notifies every process', async () => {
  const { admin, site } = await fixture.newSite();
  const made = await createToken(admin, { name: 'CI', scopes: 'read' });
  const rotated = await rotateToken(admin, made.id);
  expect(rotated).toMatchObject({ id: made.id, name: 'CI', hint: rotated.token.slice(-4) });
  expect(rotated.token).not.toBe(made.token);
  expect(fixture.notices).toContainEqual({ siteId: site.id, kind: 'tokens' });
});

test('a browser token is distinguished by its kind and its first letters, also after a rotation', async () => {
  const { admin } = await fixture.newSite();
  const made = await createBrowserToken(admin, { name: 'Shop', allowed_origins: ['https://shop.example'] });
  expect(made.token).toMatch(/^foyb_[A-Za-z0-9_-]{43}$/);
  expect(made).toMatchObject({ kind: 'browser', scopes: ['write'] });
  expect(made.allowed_origins).toEqual(['https://shop.example']);
  expect((await rotateToken(admin, made.id)).token).toMatch(/^foyb_/);
  expect(await createToken(admin, { name: 'CI', scopes: 'read' })).toMatchObject({
    kind: 'api',
    allowed_origins: [],
  });
});

test('the origins of a browser token can be changed, those of an API token or a revoked one not', async () => {
  const { admin, site } = await fixture.newSite();
  const { id } = await createBrowserToken(admin, { name: 'Shop', allowed_origins: [] });
  const allowed_origins = ['https://a.example', 'https://b.example'];
  expect(await updateBrowserToken(admin, { id, allowed_origins })).toMatchObject({ allowed_origins });
  expect(fixture.notices).toContainEqual({ siteId: site.id, kind: 'tokens' });
  const other = await createToken(admin, { name: 'CI', scopes: 'read' });
  await expect(updateBrowserToken(admin, { id: other.id, allowed_origins })).rejects.toMatchObject({
    code: 'not_found',
  });
  await revokeToken(admin, id);
  await expect(updateBrowserToken(admin, { id, allowed_origins: [] })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('revoking again changes nothing, and a revoked token cannot be rotated', async () => {
  const { admin } = await fixture.newSite();
  const { id } = await createToken(admin, { name: 'CI', scopes: 'read' });
  const first = await revokeToken(admin, id);
  expect(first.revoked_utc).not.toBeNull();
  expect(await revokeToken(admin, id)).toEqual(first);
  await expect(rotateToken(admin, id)).rejects.toMatchObject({ code: 'conflict' });
});

test('tokens in use come first, revoked ones stay in the list', async () => {
  const { admin } = await fixture.newSite();
  const old = await createToken(admin, { name: 'old', scopes: 'read' });
  const gone = await createToken(admin, { name: 'gone', scopes: 'read' });
  const fresh = await createToken(admin, { name: 'fresh', scopes: 'read' });
  await revokeToken(admin, gone.id);
  expect((await listTokens(admin)).map(({ name }) => name)).toEqual(['fresh', 'old', 'gone']);
  expect(old.id).toBeLessThan(fresh.id);
});

test("another site's token looks as if it did not exist, and stays unchanged", async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const theirs = await createToken(there.admin, { name: 'theirs', scopes: 'read' });
  const missing = await revokeToken(here.admin, 2 ** 40).catch((error: unknown) => error);
  await expect(revokeToken(here.admin, theirs.id)).rejects.toEqual(missing);
  await expect(rotateToken(here.admin, theirs.id)).rejects.toEqual(missing);
  expect(missing).toMatchObject({ code: 'not_found' });
  expect(await listTokens(here.admin)).toEqual([]);
  expect((await listTokens(there.admin))[0]).toMatchObject({ hint: theirs.hint, revoked_utc: null });
});

test('a site has at most 100 tokens in use, even when they are created at once', async () => {
  const { admin, site } = await fixture.newSite();
  await fixture.execute(
    `insert into api_tokens (site_id, name, token_hash, hint, can_write)
     select ${site.id}, 'many', sha256(('x' || n)::bytea), 'abcd', false from generate_series(1, 99) n`,
  );
  const answers = await Promise.allSettled(
    [1, 2, 3].map(() => createToken(admin, { name: 'one more', scopes: 'read' })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
});
