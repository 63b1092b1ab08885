import { randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { findVisitors, upsertVisitor } from '../visitors.ts';
import { collect } from './collect.ts';
import { trackEvent } from './track.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const detail = (key: string) => findVisitors(ctx, { key, limit: 1, order: 'desc' });
const DAY_MS = 86_400_000;

describe('a tracked event', () => {
  test('creates an unknown visitor and is in its record', async () => {
    const tracked = await trackEvent(ctx, { key: 'u1', name: 'paid', properties: { sum: 12.5, of: ['a'] } });
    expect(tracked).toMatchObject({ key: 'u1', name: 'paid', event_id: expect.any(Number) });
    expect(await detail('u1')).toMatchObject({
      event_count: 1,
      recent_events: [{ event_id: tracked.event_id, properties: { sum: 12.5, of: ['a'] } }],
    });
  });

  test('has the given time, up to a day ahead', async () => {
    const given = await trackEvent(ctx, {
      key: 'u1',
      name: 'paid',
      occurred_utc: '2025-02-03T04:05:06+01:00',
    });
    expect(given.created_utc).toBe('2025-02-03T03:05:06.000Z');
    const hour = new Date(Date.now() + 3_600_000).toISOString();
    await trackEvent(ctx, { key: 'u1', name: 'paid', occurred_utc: hour });
    const late = new Date(Date.now() + 2 * DAY_MS).toISOString();
    await expect(trackEvent(ctx, { key: 'new', name: 'paid', occurred_utc: late })).rejects.toMatchObject({
      issues: [{ path: 'occurred_utc' }],
    });
    await expect(detail('new')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of many at once for an unknown key is counted like the others', async () => {
    await Promise.all(Array.from({ length: 50 }, () => trackEvent(ctx, { key: 'u1', name: 'looked' })));
    expect(await detail('u1')).toMatchObject({ event_count: 50 });
    expect((await detail('u1')) as object).toHaveProperty('recent_events.length', 20);
  });

  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  test.each([
    ['properties over 8 KB', { properties: { a: 'x'.repeat(8192) } }],
    ['properties that are too deep', { properties: { a: nested(9) } }],
    ['properties deep enough to break a parser', { properties: { a: nested(100_000) } }],
    ['a NUL in properties', { properties: { a: ['\0'] } }],
    ['a time without an offset', { occurred_utc: '2025-01-01T10:00:00' }],
    ['a day that there is not', { occurred_utc: '2025-02-30' }],
    ['an unknown field', { occured_utc: '2025-02-03' }],
  ])('with %s is refused', (_, part) => {
    const input = { key: 'u1', name: 'paid', ...part };
    expect(contract['track.create'].input.safeParse(input).success).toBe(false);
  });
});

describe('the data that the SDK sends', () => {
  const event = (name: string) => ({
    id: randomUUID().replaceAll('-', ''),
    name,
    occurred_utc: '2025-01-01',
  });

  test('is stored once, however often it is sent', async () => {
    const body = { key: 'anon_1', events: [event('a'), event('b')] };
    await Promise.all([1, 2, 3].map(() => collect(ctx, JSON.stringify(body))));
    const more = { key: 'anon_1', events: [...body.events, event('c')] };
    await collect(ctx, JSON.stringify(more));
    expect(await detail('anon_1')).toMatchObject({
      event_count: 3,
      recent_events: [{ name: 'c' }, { name: expect.any(String) }, { name: expect.any(String) }],
    });
  });

  test('has the visitor’s address and name among the attributes', async () => {
    const attributes = { email: 'ann@a.example', name: 'Ann', plan: 'pro' };
    await collect(ctx, { key: 'u1', previous_key: 'anon_1', attributes });
    expect(await detail('u1')).toMatchObject({
      email: 'ann@a.example',
      name: 'Ann',
      attributes: { plan: 'pro' },
    });
    await collect(ctx, { key: 'u1', attributes: { email: null, plan: null } });
    expect(await detail('u1')).toMatchObject({ email: null, name: 'Ann', attributes: {} });
  });

  test('never lies in the future', async () => {
    await collect(ctx, { key: 'anon_1', events: [{ ...event('a'), occurred_utc: '2199-01-01' }] });
    const found = await detail('anon_1');
    const [first] = 'recent_events' in found ? found.recent_events : [];
    expect(Date.parse(first?.created_utc ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('changes no known visitor, if identities are verified and this one is not', async () => {
    await ctx.db
      .updateTable('sites')
      .set({ identity_secret_cipher: ctx.services.vault.seal('the secret') })
      .where('id', '=', ctx.site.id)
      .execute();
    await upsertVisitor(ctx, { key: 'u1', email: 'ann@a.example' });
    await collect(ctx, {
      key: 'u1',
      user_hash: 'f'.repeat(64),
      attributes: { email: 'eve@a.example', plan: 'x' },
    });
    expect(await detail('u1')).toMatchObject({ email: 'ann@a.example', attributes: {} });
  });

  test.each([
    ['no JSON', '{"key":', 'invalid_json'],
    ['nothing', undefined, 'invalid_input'],
    ['a list', '[]', 'invalid_input'],
    ['no key', '{}', 'invalid_input'],
    ['an unknown field', '{"key":"a","x":1}', 'invalid_input'],
    [
      'an event without an id',
      '{"key":"a","events":[{"name":"a","occurred_utc":"2025-01-01"}]}',
      'invalid_input',
    ],
    [
      '51 events',
      JSON.stringify({ key: 'a', events: Array.from({ length: 51 }, () => event('a')) }),
      'invalid_input',
    ],
    ['brackets', '['.repeat(60_000), 'invalid_json'],
    [
      'more than 64 KB',
      JSON.stringify({ key: 'a', attributes: { a: 'ü'.repeat(33_000) } }),
      'payload_too_large',
    ],
    ['a key of the site folded', '{"key":"u1","previous_key":"u2"}', 'invalid_input'],
  ])('is refused when it is %s', async (_, body, code) => {
    await expect(collect(ctx, body)).rejects.toMatchObject({ code });
  });

  test('is stored completely or not at all', async () => {
    const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, at]));
    await expect(
      collect(ctx, { key: 'u1', attributes: tooMany, events: [event('a')] }),
    ).rejects.toMatchObject({
      status: 400,
    });
    await expect(detail('u1')).rejects.toMatchObject({ code: 'not_found' });
  });
});
