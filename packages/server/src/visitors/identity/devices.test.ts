import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { findVisitors, upsertVisitor } from '../visitors.ts';
import { type Hello, openDevice } from './devices.ts';
import { identitySecrets, isVerified } from './identity-proof.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const hello = async (parts: Partial<Hello> = {}, at: SiteContext = ctx) => {
  const secrets = await identitySecrets(at.db, at.site.id, at.services.vault, at.now());
  return openDevice(at.db, at.site.id, { now: at.now(), secrets, ...parts });
};
const detail = (key: string) => findVisitors(ctx, { key, limit: 1, order: 'desc' });
const hashOf = (key: string): string => createHmac('sha256', 'the secret').update(key).digest('hex');
const setSecret = () =>
  ctx.db
    .updateTable('sites')
    .set({ identity_secret_cipher: ctx.services.vault.seal('the secret') })
    .where('id', '=', ctx.site.id)
    .execute();

describe('a browser', () => {
  test('without a token and a key is a new anonymous visitor, whose token is stored as a hash', async () => {
    const opened = await hello();
    expect(opened.token).toMatch(/^vis_[A-Za-z0-9_-]{43}$/);
    expect(opened).toMatchObject({
      verified: false,
      visitor: { key: expect.stringMatching(/^anon_[0-9a-f]{32}$/) },
    });
    const devices = await ctx.db
      .selectFrom('visitor_devices')
      .selectAll()
      .where('site_id', '=', ctx.site.id)
      .execute();
    expect(JSON.stringify(devices)).not.toContain(opened.token.slice(4));
  });

  test('is recognised by its token as the same device, with or without its key', async () => {
    const first = await hello({ key: 'anon_1' });
    expect(await hello({ token: first.token })).toMatchObject(
      first.visitor.id ? { deviceId: first.deviceId } : {},
    );
    expect(await hello({ token: first.token, key: 'anon_1' })).toMatchObject({
      token: first.token,
      deviceId: first.deviceId,
      visitorId: first.visitorId,
    });
  });

  test("with a token of another site's is unknown", async () => {
    const other = await ground.makeSite();
    const first = await hello({ key: 'anon_1' });
    const elsewhere = await hello({ token: first.token, key: 'anon_1' }, other);
    expect(elsewhere.token).not.toBe(first.token);
    expect(elsewhere.visitorId).not.toBe(first.visitorId);
  });

  test('that now gives its visitor’s key stays the same device', async () => {
    const first = await hello({ key: 'anon_1', attributes: { source: 'ad' } });
    const known = await hello({
      token: first.token,
      key: 'u1',
      attributes: { email: 'ann@a.example', plan: 'pro' },
    });
    expect(known).toMatchObject({ deviceId: first.deviceId, token: first.token });
    expect(await detail('u1')).toMatchObject({
      email: 'ann@a.example',
      attributes: { source: 'ad', plan: 'pro' },
    });
    await expect(detail('anon_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['u1', 'u2'],
    ['u1', 'anon_2'],
  ])('that was %s and now is %s is a new device of another person', async (before, after) => {
    const first = await hello({ key: before });
    const second = await hello({ token: first.token, key: after });
    expect(second.deviceId).not.toBe(first.deviceId);
    expect(second.token).not.toBe(first.token);
    expect(second.visitor.key).toBe(after);
    expect(await detail(before)).toMatchObject({ key: before });
  });

  test('keeps its visitor when its page, after losing its storage, creates another key', async () => {
    const first = await hello({ key: 'anon_1' });
    const second = await hello({ token: first.token, key: 'anon_2' });
    expect(second).toMatchObject({
      token: first.token,
      deviceId: first.deviceId,
      visitorId: first.visitorId,
    });
    expect(second.visitor.key).toBe('anon_1');
    await expect(detail('anon_2')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('brings its visitor along when its page has tracked something under another anonymous key', async () => {
    const first = await hello({ key: 'anon_1', attributes: { source: 'ad' } });
    await upsertVisitor(ctx, { key: 'anon_2', plan: 'free' });
    const second = await hello({ token: first.token, key: 'anon_2' });
    expect(second).toMatchObject({ token: first.token, deviceId: first.deviceId });
    expect(await detail('anon_2')).toMatchObject({ attributes: { source: 'ad', plan: 'free' } });
    await expect(detail('anon_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is accepted though its page sends too much or nonsense', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, at]));
    await hello({ key: 'u1', attributes });
    await hello({ key: 'u1', attributes: { more: 1, email: 'no address' } });
    const found = await detail('u1');
    expect(found).toMatchObject({ email: null, attributes });
  });

  test('that opens twice at once with the same new key creates one visitor', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => hello({ key: 'anon_1' })));
    expect(new Set(opened.map(({ visitorId }) => visitorId)).size).toBe(1);
    expect(new Set(opened.map(({ deviceId }) => deviceId)).size).toBe(20);
  });

  test('within a transaction reports a visitor who became known only when that commits', async () => {
    await ctx.transaction(async (tx) => {
      await openDevice(tx.db, tx.site.id, { key: 'u1', now: tx.now(), emit: (event) => tx.emit(event) });
      expect(ground.notices.filter(({ siteId }) => siteId === ctx.site.id)).toEqual([]);
    });
    expect(ground.notices).toContainEqual(expect.objectContaining({ siteId: ctx.site.id, kind: 'visitor' }));
  });
});

describe('identity verification', () => {
  test('accepts the hex HMAC-SHA256 of the key and nothing else', () => {
    const right = hashOf('u1');
    expect(isVerified(['the secret'], 'u1', right)).toBe(true);
    expect(isVerified(['the secret'], 'u1', right.toUpperCase())).toBe(true);
    for (const wrong of [
      undefined,
      '',
      'zz',
      right.slice(2),
      `${right}00`,
      hashOf('u2'),
      `${right.slice(0, 62)}zz`,
    ]) {
      expect(isVerified(['the secret'], 'u1', wrong)).toBe(false);
    }
    expect(isVerified([], 'u1', right)).toBe(false);
  });

  test('is what makes a visitor verified', async () => {
    expect(await hello({ key: 'u1', userHash: hashOf('u1') })).toMatchObject({ verified: false });
    await setSecret();
    expect(await hello({ key: 'u1', userHash: hashOf('u1') })).toMatchObject({ verified: true });
    expect(await hello({ key: 'u1', userHash: hashOf('u2') })).toMatchObject({ verified: false });
    expect(await hello({ key: 'u1' })).toMatchObject({ verified: false });
  });

  test('keeps an unproven visitor from changing a known one', async () => {
    await setSecret();
    await upsertVisitor(ctx, { key: 'u1', email: 'ann@a.example', plan: 'pro' });
    const stranger = await hello({ key: 'anon_1', attributes: { plan: 'none', extra: 1 } });
    const liar = { token: stranger.token, key: 'u1', attributes: { email: 'eve@a.example', plan: 'none' } };
    expect(await hello(liar)).toMatchObject({ verified: false });
    expect(await detail('u1')).toMatchObject({ email: 'ann@a.example', attributes: { plan: 'pro' } });
    const proven = { key: 'u1', userHash: hashOf('u1'), attributes: { plan: 'team' } };
    await hello(proven);
    expect(await detail('u1')).toMatchObject({ attributes: { plan: 'team' } });
  });
});

test('browsers and the API that merge the same visitor at once leave one, with every device', async () => {
  const first = await Promise.all(Array.from({ length: 10 }, () => hello({ key: 'anon_1' })));
  await upsertVisitor(ctx, { key: 'u1' });
  const opened = await Promise.all([
    ...first.map(({ token }) => hello({ token, key: 'u1' })),
    ...first.map(() => upsertVisitor(ctx, { key: 'u1', previous_key: 'anon_1' })),
  ]);
  expect(opened).toHaveLength(20);
  const devices = await ctx.db
    .selectFrom('visitor_devices as d')
    .innerJoin('visitors as v', 'v.id', 'd.visitor_id')
    .select('v.key')
    .where('d.site_id', '=', ctx.site.id)
    .execute();
  expect(devices.length).toBeGreaterThanOrEqual(10);
  expect(new Set(devices.map(({ key }) => key))).toEqual(new Set(['u1']));
});
