import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpOf, openSiteFixture, type SiteFixture, type TestSite } from '../../test/fixtures/sites.ts';
import { identitySecrets, isVerified } from '../visitors/identity/identity-proof.ts';
import { findIdentitySecret, removeIdentitySecret, rotateIdentitySecret } from './identity-secret.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const DAY_MS = 86_400_000;
const hashOf = (secret: string): string => createHmac('sha256', secret).update('user_1').digest('hex');
const proves = async ({ admin, site }: TestSite, secret: string, now = new Date()) =>
  isVerified(await identitySecrets(fixture.db, site.id, admin.services.vault, now), 'user_1', hashOf(secret));

test('a site has none; the first is shown once and encrypted in the database', async () => {
  const site = await fixture.newSite();
  expect(await findIdentitySecret(site.admin)).toBeNull();
  const made = await rotateIdentitySecret(site.admin);
  expect(made.secret).toMatch(/^idsec_[A-Za-z0-9_-]{43}$/);
  expect(made).toMatchObject({ hint: made.secret.slice(-4), previous_until_utc: null });
  expect(await findIdentitySecret(site.admin)).toEqual({ ...made, secret: undefined });
  const dump = await dumpOf(fixture);
  expect(dump).not.toContain(made.secret);
  expect(dump).not.toContain(Buffer.from(made.secret).toString('hex'));
  expect(await proves(site, made.secret)).toBe(true);
  expect(await proves(site, 'idsec_another')).toBe(false);
});

test('after a rotation both are valid for 24 hours, then the new one alone; a further one ends the first', async () => {
  const site = await fixture.newSite();
  const first = await rotateIdentitySecret(site.admin);
  const second = await rotateIdentitySecret(site.admin);
  expect(second.previous_until_utc).not.toBeNull();
  expect([await proves(site, first.secret), await proves(site, second.secret)]).toEqual([true, true]);
  const later = new Date(Date.now() + DAY_MS + 1000);
  expect(await proves(site, first.secret, later)).toBe(false);
  expect(await proves(site, second.secret, later)).toBe(true);
  const afterwards = fixture.contextOf(site.site, { kind: 'operator' }, () => later);
  expect(await findIdentitySecret(afterwards)).toMatchObject({ previous_until_utc: null });
  await rotateIdentitySecret(site.admin);
  expect(await proves(site, first.secret)).toBe(false);
});

test('removing it ends both, of this site alone', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const theirs = await rotateIdentitySecret(there.admin);
  const first = await rotateIdentitySecret(here.admin);
  await rotateIdentitySecret(here.admin);
  await removeIdentitySecret(here.admin);
  expect(await findIdentitySecret(here.admin)).toBeNull();
  expect(await proves(here, first.secret)).toBe(false);
  expect(await proves(there, theirs.secret)).toBe(true);
});
