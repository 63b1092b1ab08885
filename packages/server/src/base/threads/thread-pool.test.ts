import { expect, it } from 'vitest';
import type { OddTask } from '../../../test/threads/odd-thread.ts';
import { createThreadPool } from './thread-pool.ts';
import { ownBytes } from './transfer.ts';

const open = (options: { idleMs?: number } = {}) =>
  createThreadPool<OddTask, number | Uint8Array>({
    program: '../test/threads/odd-thread',
    threadsMax: 1,
    idleMs: options.idleMs ?? 60_000,
    limits: { timeMaxMs: 60_000, cpuMaxMs: 60_000, memoryMaxMib: 256 },
  });

it('tasks wait for a free thread, which is reused', async () => {
  const pool = open();
  const ids = await Promise.all([pool.run('id'), pool.run('id'), pool.run('id')]);
  expect(new Set(ids).size).toBe(1);
});

it('without idle time each task has a thread of its own', async () => {
  const pool = open({ idleMs: 0 });
  expect(await pool.run('id')).not.toBe(await pool.run('id'));
});

it.each([
  ['spin', { cpuMaxMs: 1 }, 'too_costly'],
  ['hoard', { memoryMaxMib: 64 }, 'too_costly'],
  ['wait', { timeMaxMs: 1 }, 'too_slow'],
  ['throw', {}, 'failed'],
  ['exit', {}, 'failed'],
] as const)(
  'a task that would %s ends with its thread, and the next one is done',
  async (task, limits, problem) => {
    const pool = open();
    await expect(pool.run(task, [], limits)).rejects.toMatchObject({ problem });
    expect(typeof (await pool.run('id'))).toBe('number');
  },
);

it('bytes are transferred both ways, and other bytes in their buffer stay', async () => {
  const pool = open();
  const large = Buffer.alloc(100_000, 'x');
  const [one, other] = [Buffer.from('one'), Buffer.from('other')];
  const mine = ownBytes(one);
  expect(Buffer.from((await pool.run(mine, [mine])) as Uint8Array).toString()).toBe('one');
  expect([one.toString(), other.toString(), mine.length]).toEqual(['one', 'other', 0]);
  const back = (await pool.run(large, [large])) as Uint8Array;
  expect([large.length, back.length]).toEqual([0, 100_000]);
});
