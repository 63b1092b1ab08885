import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withLimitTable } from '../../test/doc-limits.ts';
import { createVisitorLimits } from '../http/visitor-limits.ts';
import { createLimits } from './limits.ts';

const SOURCES = new URL('../', import.meta.url);
const PAGE = new URL('../../../../docs/operations/limits.md', import.meta.url);

describe('the table of limits', () => {
  it('is the one of the docs: npm run docs', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toBe(withLimitTable(page));
    expect(page).toContain('| new chats | address and site | 60 | minute | load |');
  });

  it('has every limit of an entry point', () => {
    const own = globSync('**/*.ts', { cwd: SOURCES })
      .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('limits/'))
      .filter((file) => /\.of(Load|Guesses)\(/.test(readFileSync(new URL(file, SOURCES), 'utf8')));
    expect(own).toEqual([]);
  });
});

describe('messages', () => {
  const SITE = { id: 1, plan: 'free' } as const;
  const ADDRESS = '203.0.113.7';
  const limits = (loadFactor = 1) =>
    createVisitorLimits(
      createLimits({
        // Neither is counted in the process.
        db: undefined as never,
        redis: undefined,
        derive: () => randomUUID(),
        clock: () => new Date(0),
        loadFactor,
      }),
      { challengesOf: async () => 'auto' },
    );
  const sent = async (admit: ReturnType<typeof limits>, visitor: string, times: number) => {
    let passed = 0;
    for (let at = 0; at < times; at++)
      await admit({ site: SITE, caller: ADDRESS, proof: 'none' }, 'message', visitor).then(
        () => passed++,
        (refusal: unknown) =>
          expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '60' } }),
      );
    return passed;
  };

  it('of one visitor are limited, and those of another at the same address are not used up', async () => {
    const admit = limits();
    expect(await sent(admit, 'a', 300)).toBe(240);
    expect(await sent(admit, 'b', 10)).toBe(10);
  });

  it('of one address are limited over all of its visitors, and elsewhere they continue', async () => {
    const admit = limits();
    let passed = 0;
    for (let visitor = 0; visitor < 30; visitor++) passed += await sent(admit, String(visitor), 240);
    expect(passed).toBe(6_000);
    await admit({ site: SITE, caller: '198.51.100.1', proof: 'none' }, 'message', 'elsewhere');
  });

  it('may be more if the operator says so', async () => {
    expect(await sent(limits(2), 'a', 600)).toBe(480);
  });
});
