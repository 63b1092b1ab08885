import { beforeEach, expect, test, vi } from 'vitest';
import { collectRequest } from './request.ts';
import { restRequest } from './rest.ts';

beforeEach(() => vi.stubGlobal('location', new URL('https://shop.test/page')));

const identify = {
  id: 'i',
  key: '42',
  at: 0,
  attributes: { email: 'a@b.test', name: 'Ada', plan: 'pro' },
};
const track = {
  id: 'e',
  key: '42',
  at: 0,
  event: { id: 'e', name: 'seen', properties: { a: 1 }, occurred_utc: '2026-01-01T10:00:00.000Z' },
};
const sentBody = (body: unknown) => JSON.parse(JSON.stringify(body));
const BASE = 'https://foyer.test';

test('with a token, identify goes to resource=visitors', () => {
  const destination = { apiToken: 'tok', apiUrl: 'https://api.test/v1/api.ashx' };
  const [url, body, headers] = restRequest({ ...identify, previous_key: 'anon_1' }, destination, BASE);
  expect(url).toBe('https://api.test/v1/api.ashx?resource=visitors');
  expect(headers).toMatchObject({ Authorization: 'Bearer tok', 'Content-Type': 'application/json' });
  expect(sentBody(body)).toEqual({
    key: '42',
    email: 'a@b.test',
    name: 'Ada',
    attributes: { plan: 'pro' },
    previous_key: 'anon_1',
  });
});

test('with a token, track goes to resource=track with an idempotency key', () => {
  const [url, body, headers] = restRequest(track, { apiToken: 'tok' }, BASE);
  expect(url).toBe('https://foyer.test/v1/api.ashx?resource=track');
  expect(headers?.['Idempotency-Key']).toBe('e');
  expect(sentBody(body)).toEqual({
    key: '42',
    name: 'seen',
    properties: { a: 1 },
    occurred_utc: '2026-01-01T10:00:00.000Z',
  });
});

test('an address with its own query keeps it', () => {
  const [url] = restRequest(track, { apiToken: 't', apiUrl: 'https://api.test/v1/api.ashx?a=b' }, BASE);
  expect(url).toBe('https://api.test/v1/api.ashx?a=b&resource=track');
});

test('requests with a browser token include the user hash', () => {
  for (const item of [identify, track]) {
    const [, body] = restRequest({ ...item, user_hash: 'hash' }, { apiToken: 'foyb_' }, BASE);
    expect(body).toMatchObject({ user_hash: 'hash' });
  }
});

test('without a token it uses the widget’s endpoint, without headers that need a preflight', () => {
  const destination = { site: 'pk_1' };
  const [url, body, headers] = collectRequest({ ...identify, user_hash: 'hash' }, destination, BASE);
  expect(url).toBe('https://foyer.test/widget/collect?site=pk_1');
  expect(headers).toBeUndefined();
  expect(sentBody(body)).toEqual({ key: '42', user_hash: 'hash', attributes: identify.attributes });
  expect(sentBody(collectRequest(track, { site: 'pk_1' }, BASE)[1])).toEqual({
    key: '42',
    events: [track.event],
  });
});
