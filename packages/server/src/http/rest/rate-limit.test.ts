import { expect, test } from 'vitest';
import { addressKey, createAttemptLimiter, createRateLimiter } from './rate-limit.ts';

function clock(): { now: () => Date; advance(ms: number): void } {
  let time = Date.UTC(2026, 0, 1);
  return {
    now: () => new Date(time),
    advance: (ms) => {
      time += ms;
    },
  };
}

test('a bucket holds the plan figure and refuses what is over it', () => {
  const limiter = createRateLimiter(clock());
  const answers = Array.from({ length: 62 }, () => limiter.take(1, 1, 60));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(60);
  expect(answers[0]).toEqual({ allowed: true, limit: 60, remaining: 59, resetS: 60 });
  expect(answers[59]).toMatchObject({ allowed: true, remaining: 0 });
  expect(answers[61]).toMatchObject({ allowed: false, remaining: 0, resetS: 60 });
});

test('it empties sixty seconds after its first request, not after its last', () => {
  const { now, advance } = clock();
  const limiter = createRateLimiter({ now });
  limiter.take(1, 1, 2);
  advance(59_001);
  limiter.take(1, 1, 2);
  expect(limiter.take(1, 1, 2)).toMatchObject({ allowed: false, resetS: 1 });
  advance(998);
  expect(limiter.take(1, 1, 2)).toMatchObject({ allowed: false, resetS: 1 });
  advance(1);
  expect(limiter.take(1, 1, 2)).toEqual({ allowed: true, limit: 2, remaining: 1, resetS: 60 });
});

test('each token of each site has its own', () => {
  const limiter = createRateLimiter(clock());
  expect(limiter.take(1, 11, 1).allowed).toBe(true);
  expect(limiter.take(11, 1, 1).allowed).toBe(true);
  expect(limiter.take(1, 12, 1).allowed).toBe(true);
  expect(limiter.take(1, 11, 1).allowed).toBe(false);
});

test('another plan counts at once, for what is in the bucket already', () => {
  const limiter = createRateLimiter(clock());
  for (let request = 0; request < 60; request += 1) limiter.take(1, 1, 60);
  expect(limiter.take(1, 1, 200)).toMatchObject({ allowed: true, limit: 200, remaining: 139 });
});

test('a clock that is set back makes nobody wait for longer than a window', () => {
  const { now, advance } = clock();
  const limiter = createRateLimiter({ now });
  limiter.take(1, 1, 1);
  advance(-3_600_000);
  expect(limiter.take(1, 1, 1)).toMatchObject({ allowed: true, resetS: 60 });
});

test('attempts are limited by their key, and a forgiven one does not count', () => {
  const { now, advance } = clock();
  const limiter = createAttemptLimiter({ max: 2, windowMs: 10_000, now });
  expect([limiter.take('a'), limiter.take('a'), limiter.take('a')].map(({ allowed }) => allowed)).toEqual([
    true,
    true,
    false,
  ]);
  expect(limiter.take('b').allowed).toBe(true);
  limiter.forgive('a');
  expect(limiter.take('a').allowed).toBe(true);
  advance(4_500);
  expect(limiter.take('a')).toEqual({ allowed: false, retryAfterS: 6 });
  advance(5_500);
  expect(limiter.take('a').allowed).toBe(true);
});

test('addresses count by what one customer has: an IPv4 address, or a /64', () => {
  expect(addressKey('192.0.2.1')).not.toBe(addressKey('192.0.2.2'));
  expect(addressKey('::ffff:192.0.2.1')).toBe(addressKey('192.0.2.1'));
  expect(addressKey('2001:db8:1:2::1')).toBe(addressKey('2001:db8:1:2:ffff::9'));
  expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
  expect(addressKey('nonsense')).toBe('unknown');
});
