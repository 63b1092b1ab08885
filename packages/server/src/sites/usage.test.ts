import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSiteFixture, type SiteFixture } from '../../test/fixtures/sites.ts';
import type { SiteContext } from '../core/context.ts';
import { storageOf } from './storage.ts';
import { billingCycle, countBotReply, getUsage, getUsageDays } from './usage.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const cycle = (created: string, now: string): string[] => {
  const { start, end } = billingCycle(new Date(created), new Date(now));
  return [start, end].map((time) => time.toISOString().slice(0, 10));
};

test('a cycle is a month from the creation day, from midnight to midnight', () => {
  expect(cycle('2026-03-15T18:00:00Z', '2026-03-15T18:00:01Z')).toEqual(['2026-03-15', '2026-04-15']);
  expect(cycle('2026-03-15T18:00:00Z', '2026-04-14T23:59:59Z')).toEqual(['2026-03-15', '2026-04-15']);
  expect(cycle('2026-03-15T18:00:00Z', '2026-04-15T00:00:00Z')).toEqual(['2026-04-15', '2026-05-15']);
  expect(cycle('2025-12-20T00:00:00Z', '2027-01-05T00:00:00Z')).toEqual(['2026-12-20', '2027-01-20']);
});

test('in a month without that day its last day stands for it', () => {
  expect(cycle('2026-01-31T09:00:00Z', '2026-02-27T00:00:00Z')).toEqual(['2026-01-31', '2026-02-28']);
  expect(cycle('2026-01-31T09:00:00Z', '2026-02-28T00:00:00Z')).toEqual(['2026-02-28', '2026-03-31']);
  expect(cycle('2028-01-30T09:00:00Z', '2028-03-01T00:00:00Z')).toEqual(['2028-02-29', '2028-03-30']);
});

const at = ({ site, actor }: SiteContext, time: string): SiteContext =>
  fixture.contextOf(site, actor, () => new Date(time));

test('usage sums the replies and tokens of this cycle and of this site alone', async () => {
  const [here, there] = [await fixture.newSite('starter'), await fixture.newSite()];
  await fixture.db
    .updateTable('sites')
    .set({ created_at: new Date('2026-01-10T12:00:00Z') })
    .where('id', 'in', [here.site.id, there.site.id])
    .execute();
  await countBotReply(at(here.admin, '2026-03-09T23:59:59Z'), { inputTokens: 1, outputTokens: 1 });
  await countBotReply(at(here.admin, '2026-03-10T00:00:00Z'), { inputTokens: 100, outputTokens: 20 });
  await countBotReply(at(here.admin, '2026-04-09T23:59:59Z'), { inputTokens: 0, outputTokens: 5 });
  await countBotReply(at(there.admin, '2026-03-12T00:00:00Z'), { inputTokens: 7, outputTokens: 7 });
  expect(await getUsage(at(here.admin, '2026-04-01T00:00:00Z'))).toEqual({
    plan: 'starter',
    cycle_start_utc: '2026-03-10T00:00:00.000Z',
    cycle_end_utc: '2026-04-10T00:00:00.000Z',
    ai_replies: 2,
    bot_tokens: 125,
    bot_tokens_input: 100,
    bot_tokens_output: 25,
    agents: 1,
    agent_limit: 5,
  });
});

test('concurrent replies are all counted', async () => {
  const { admin } = await fixture.newSite();
  await Promise.all(
    Array.from({ length: 40 }, () => countBotReply(admin, { inputTokens: 2, outputTokens: 1 })),
  );
  expect(await getUsage(admin)).toMatchObject({ ai_replies: 40, bot_tokens: 120, agent_limit: null });
});

test('a reply whose transaction fails is not counted', async () => {
  const { admin } = await fixture.newSite();
  const failing = admin.transaction(async (tx) => {
    await countBotReply(tx, { inputTokens: 2, outputTokens: 1 });
    throw new Error('the reply could not be stored');
  });
  await expect(failing).rejects.toThrow();
  expect(await getUsage(admin)).toMatchObject({ ai_replies: 0, bot_tokens: 0 });
});

test('each of the last 30 days is listed, with the requests of all tokens, and no day of another site', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const now = '2026-03-30T12:00:00Z';
  await countBotReply(at(here.admin, '2026-03-01T00:00:00Z'), { inputTokens: 5, outputTokens: 2 });
  await countBotReply(at(here.admin, '2026-02-28T23:59:59Z'), { inputTokens: 9, outputTokens: 9 });
  await countBotReply(at(there.admin, now), { inputTokens: 9, outputTokens: 9 });
  for (const token of ['one', 'two']) {
    const { id } = await fixture.db
      .insertInto('api_tokens')
      .values({
        site_id: here.site.id,
        name: token,
        token_hash: Buffer.from(`${token} ${here.site.id}`),
        hint: 'x',
        can_write: false,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await fixture.db
      .insertInto('api_token_days')
      .values({ site_id: here.site.id, token_id: id, day: '2026-03-30', requests: 4 })
      .execute();
  }
  const { days } = await getUsageDays(at(here.admin, now));
  expect(days).toHaveLength(30);
  const none = { ai_replies: 0, bot_tokens_input: 0, bot_tokens_output: 0, requests: 0 };
  expect(days[0]).toEqual({
    ...none,
    day: '2026-03-01',
    ai_replies: 1,
    bot_tokens_input: 5,
    bot_tokens_output: 2,
  });
  expect(days[1]).toEqual({ ...none, day: '2026-03-02' });
  expect(days[29]).toEqual({ ...none, day: '2026-03-30', requests: 8 });
});

test('storage is listed by kind, and is zero for an empty site', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  await fixture.db.insertInto('visitors').values({ site_id: here.site.id, key: 'user_1' }).execute();
  const of = async (ctx: SiteContext) =>
    Object.fromEntries((await storageOf(ctx)).kinds.map(({ kind, ...share }) => [kind, share]));
  const used = await of(here.admin);
  expect(used.visitors).toMatchObject({ records: 1 });
  expect(used.visitors?.bytes).toBeGreaterThan(0);
  expect((await of(there.admin)).visitors).toEqual({ records: 0, bytes: 0 });
});
