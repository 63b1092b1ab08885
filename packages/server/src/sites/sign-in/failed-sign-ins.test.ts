import { expect, test } from 'vitest';
import { silentLog, until } from '../../../test/harness.ts';
import { createFailedSignIns } from './failed-sign-ins.ts';

function open(quietMs: number) {
  const told: unknown[][] = [];
  const failures = createFailedSignIns({
    log: silentLog,
    quietMs,
    tell: async (...entry) => void told.push(entry),
  });
  return { failures, told };
}

test('a flood of wrong passwords is two entries, with their number', async () => {
  const { failures, told } = open(100);
  for (let at = 0; at < 500; at++) failures.note('ann', 'failed', `203.0.113.${at % 250}`);
  expect(told).toEqual([['ann', 'failed', '203.0.113.0', 1]]);
  await until(async () => told.length > 1);
  expect(told[1]).toEqual(['ann', 'failed', '203.0.113.249', 499]);
  await failures.stop();
  expect(told).toHaveLength(2);
});

test('counted failures are written when the process stops, and lock-outs separately', async () => {
  const { failures, told } = open(60_000);
  for (const failure of ['failed', 'failed', 'locked'] as const) failures.note('ann', failure, '203.0.113.1');
  failures.note('bob', 'failed', '203.0.113.2');
  await failures.stop();
  expect(told).toEqual([
    ['ann', 'failed', '203.0.113.1', 1],
    ['ann', 'locked', '203.0.113.1', 1],
    ['bob', 'failed', '203.0.113.2', 1],
    ['ann', 'failed', '203.0.113.1', 1],
  ]);
});
