import { createHmac } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { Actor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { rotateIdentitySecret } from '../../sites/identity-secret.ts';
import { collect } from '../events/collect.ts';
import { findVisitors, upsertVisitor } from '../visitors.ts';

const ground = useGround();
let site: SiteContext;
/** A page with a browser token of the site. */
let page: SiteContext;
const PAGE: Actor = { kind: 'token', tokenId: 1, canWrite: true, requestCount: 1, browser: { origins: [] } };
beforeEach(async () => {
  site = await ground.makeSite();
  page = ground.contextOf(site.site.id, { actor: PAGE });
});

const upsertAt = (at: SiteContext, input: unknown) =>
  upsertVisitor(at, contract['visitors.upsert'].input.parse(input));
const read = (key: string) => findVisitors(site, { key, limit: 1, order: 'desc' });
const hashOf = (secret: string, key: string) => createHmac('sha256', secret).update(key).digest('hex');
const many = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]));

test('a page may change data from a page', async () => {
  await upsertAt(page, { key: 'u1', email: 'ann@a.example', name: 'Ann' });
  await upsertAt(page, { key: 'u1', email: 'ann@b.example', name: null });
  expect(await read('u1')).toMatchObject({ email: 'ann@b.example', name: null });
});

test('no page changes or clears data from the site’s server, by a browser token or without one', async () => {
  await upsertAt(site, { key: 'u1', email: 'ann@a.example' });
  await upsertAt(page, { key: 'u1', email: 'eve@a.example', name: 'Annie' });
  await collect(site, { key: 'u1', attributes: { email: null, name: 'Ann', plan: 'pro' } });
  expect(await read('u1')).toMatchObject({
    email: 'ann@a.example',
    name: 'Ann',
    attributes: { plan: 'pro' },
  });
});

test('the server takes over a page’s data, and opens a field again by clearing it', async () => {
  await upsertAt(page, { key: 'u1', email: 'ann@a.example' });
  await upsertAt(site, { key: 'u1', email: 'ann@b.example' });
  await upsertAt(page, { key: 'u1', email: 'eve@a.example' });
  expect(await read('u1')).toMatchObject({ email: 'ann@b.example' });
  await upsertAt(site, { key: 'u1', email: null });
  await upsertAt(page, { key: 'u1', email: 'ann@c.example' });
  expect(await read('u1')).toMatchObject({ email: 'ann@c.example' });
});

test('a page with the proof is trusted like the server', async () => {
  const { secret } = await rotateIdentitySecret(site);
  await upsertAt(site, { key: 'u1', email: 'ann@a.example' });
  const user_hash = hashOf(secret, 'u1');
  await upsertAt(page, { key: 'u1', email: 'ann@b.example', user_hash });
  expect(await read('u1')).toMatchObject({ email: 'ann@b.example' });
  await expect(upsertAt(page, { key: 'u1', email: 'eve@a.example' })).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
});

test('without the proof nobody is merged into a person', async () => {
  await rotateIdentitySecret(site);
  await collect(site, { key: 'anon_1', attributes: { plan: 'pro' } });
  await collect(site, { key: 'u1', previous_key: 'anon_1', attributes: {} });
  expect(await read('anon_1')).toMatchObject({ attributes: { plan: 'pro' } });
  expect(await read('u1')).toMatchObject({ attributes: {} });
});

test('a page can’t learn how many attributes there are: new ones count as far as there is room', async () => {
  await upsertAt(site, { key: 'u1', attributes: { ...many('known', 98), plan: 'free' } });
  await upsertAt(page, { key: 'u1', attributes: { ...many('new', 3), plan: 'pro' } });
  const found = await read('u1');
  if (!('attributes' in found)) throw new Error('not one visitor');
  expect(Object.keys(found.attributes)).toHaveLength(100);
  expect(found.attributes).toMatchObject({ known0: 0, plan: 'pro', new0: 0 });
  await expect(upsertAt(site, { key: 'u1', attributes: many('server', 1) })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});
