import { randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../test/fixtures/reports.ts';
import { useGround } from '../../test/ground.ts';
import { csvRecords } from '../base/csv.ts';
import { rate } from '../conversations/chat.ts';
import { closeSession } from '../conversations/closing.ts';
import { reply, setTags, transferSession } from '../conversations/desk.ts';
import { handOff } from '../conversations/handoffs.ts';
import { updateSite } from '../sites/sites.ts';
import { createTeam } from '../sites/teams/teams.ts';
import { createPolicy } from '../sla/policies.ts';
import { createTicket } from '../tickets/mails/new-by-mail.ts';
import { replyToTicket } from '../tickets/replies/replies.ts';
import { lockTicket } from '../tickets/tickets.ts';
import { exportReport } from './export.ts';
import { listComments } from './lists/comments.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import { reportResponses } from './responses.ts';
import { reportSatisfaction } from './satisfaction.ts';
import { reportSlas } from './sla/slas.ts';
import { reportTeams } from './teams.ts';
import { reportHours, reportVolume } from './traffic.ts';

const ground = useGround();
let shop: Shop;
let adaId: number;
const MARCH = { range: 'custom', from: '2026-03-01', to: '2026-03-31' } as const;

/** Four chats of March, of which Ada has answered two, and one of February. */
beforeAll(async () => {
  shop = await openShop(ground);
  const ada = await shop.agent('=Ada');
  adaId = ada.id;
  for (const [day, wait, rating, comment] of [
    ['2026-03-02', '09:01:00', 5, 'Thank you'],
    ['2026-03-09', '09:10:00', 2, '=HYPERLINK("https://evil.example","x")'],
    ['2026-02-09', '09:02:00', 1, ''],
  ] as const) {
    const chat = await shop.chat(`${day}T09:00:00Z`);
    await handOff(chat.at(`${day}T09:00:00Z`), chat.id, { reason: 'rule' });
    await reply(ada.at(`${day}T${wait}Z`), chat.id, { clientId: randomUUID(), text: 'Hello' });
    await setTags(ada.at(`${day}T10:00:00Z`), chat.id, ['parcel']);
    await closeSession(ada.at(`${day}T10:00:00Z`), chat.id);
    await rate(chat.at(`${day}T10:01:00Z`), chat.id, rating, comment);
  }
  await shop.chat('2026-03-31T23:59:59Z');
  const left = await shop.chat('2026-03-04T12:00:00Z');
  await handOff(left.at('2026-03-04T12:00:00Z'), left.id, { reason: 'visitor_request' });
  await shop.count();
});

test('the volume has every day, its states, and the previous period', async () => {
  const report = await reportVolume(shop.site, MARCH);
  expect(report.now).toEqual({ chats: 4, tickets: 0 });
  expect(report.earlier).toEqual({ chats: 1, tickets: 0 });
  expect(report.before).toEqual({ from: '2026-01-29', to: '2026-02-28' });
  expect(report.days).toHaveLength(31);
  expect(report.days[1]).toEqual({ day: '2026-03-02', chats: 1, tickets: 0 });
  expect(report.chat_states).toEqual([
    { name: 'closed', count: 2 },
    { name: 'bot', count: 1 },
    { name: 'waiting', count: 1 },
  ]);
  expect(report.catching_up).toBe(false);
});

test('waits have a median, a 90th percentile, a distribution, and the number never answered', async () => {
  const { chat_answers: answers, chat_unanswered } = await reportResponses(shop.site, MARCH);
  expect(answers.now.count).toBe(2);
  expect(answers.now.mean_s).toBe(330);
  expect(answers.now.p90_s).toBeGreaterThan(550);
  expect(answers.now.p90_s).toBeLessThan(660);
  expect(answers.earlier.count).toBe(1);
  expect(answers.open).toBeNull();
  expect(answers.spread.filter(({ count }) => count > 0)).toEqual([
    { up_to_s: 60, count: 1 },
    { up_to_s: 900, count: 1 },
  ]);
  expect(chat_unanswered).toEqual({ closed: 0, waiting: 1 });
});

test('the week shows the hours in which conversations began, and how many of each weekday there were', async () => {
  const { cells, weekdays } = await reportHours(shop.site, MARCH);
  expect(cells).toEqual([
    { weekday: 1, hour: 9, chats: 2, tickets: 0 },
    { weekday: 2, hour: 23, chats: 1, tickets: 0 },
    { weekday: 3, hour: 12, chats: 1, tickets: 0 },
  ]);
  expect(weekdays.find(({ weekday }) => weekday === 1)?.days).toBe(5);
});

test('satisfaction is of these days alone, and its comments are found by rating', async () => {
  const report = await reportSatisfaction(shop.site, MARCH);
  expect(report.now).toEqual({ count: 2, average: 3.5, ratings: [0, 1, 0, 0, 1] });
  expect(report.earlier.average).toBe(1);
  expect(report.bot.count).toBe(0);
  const listed = async (input: object) =>
    (
      await listComments(shop.site, contract['reports.comments'].input.parse({ ...MARCH, ...input }))
    ).items.map(({ rating }) => rating);
  expect(await listed({})).toEqual([2, 5]);
  expect(await listed({ order: 'asc' })).toEqual([5, 2]);
  expect(await listed({ rating: 2 })).toEqual([2]);
  expect(await listed({ rating: 1 })).toEqual([]);
});

test('comments come page by page, each once', async () => {
  const page = (cursor?: string) =>
    listComments(shop.site, { ...MARCH, limit: 1, order: 'desc', ...(cursor ? { cursor } : {}) });
  const first = await page();
  const second = await page(first.next_cursor ?? undefined);
  expect([...first.items, ...second.items].map(({ rating }) => rating)).toEqual([2, 5]);
  expect(second.next_cursor).toBeNull();
});

test('agents and tags have their own figures', async () => {
  const { agents } = await reportAgents(shop.site, MARCH);
  expect(agents).toMatchObject([
    {
      agent: { id: adaId },
      chats: 2,
      messages: 2,
      answers: { count: 2 },
      ends: { count: 2 },
      rated: { average: 3.5 },
    },
  ]);
  const { tags } = await reportTags(shop.site, MARCH);
  expect(tags).toMatchObject([{ tag: { name: 'parcel' }, chats: 2, chats_earlier: 1, rated: { count: 2 } }]);
});

test('a team has only its own figures, ratings and targets, and records without a team are the remainder', async () => {
  const own = await openShop(ground);
  const ada = await own.agent('Ada');
  const { id: team_id } = await createTeam(own.site, { name: '=Billing' });
  await createTeam(own.site, { name: 'Repairs' });
  for (const [day, wait, rating, ofTeam] of [
    ['2026-03-02', '09:01:00', 5, true],
    ['2026-03-03', '09:10:00', 2, false],
    ['2026-03-04', '09:10:00', 1, true],
    ['2026-03-05', '09:10:00', 4, true],
  ] as const) {
    const chat = await own.chat(`${day}T09:00:00Z`);
    await handOff(chat.at(`${day}T09:00:00Z`), chat.id, { reason: 'rule' });
    if (ofTeam) await transferSession(ada.at(`${day}T09:00:10Z`), chat.id, null, undefined, team_id);
    await reply(ada.at(`${day}T${wait}Z`), chat.id, { clientId: randomUUID(), text: 'Hello' });
    await closeSession(ada.at(`${day}T10:00:00Z`), chat.id);
    await rate(chat.at(`${day}T10:01:00Z`), chat.id, rating, `${rating} stars`);
  }
  await own.count();
  const span = { ...MARCH, team_id };
  expect((await reportVolume(own.site, span)).now).toEqual({ chats: 3, tickets: 0 });
  expect((await reportResponses(own.site, span)).chat_answers.now).toMatchObject({ count: 3, mean_s: 420 });
  expect((await reportSatisfaction(own.site, span)).now.ratings).toEqual([1, 0, 0, 1, 1]);
  expect((await reportAgents(own.site, span)).agents).toMatchObject([{ agent: { id: ada.id }, chats: 3 }]);
  expect((await reportVolume(own.site, { ...MARCH, team_id: 4_000_000 })).now).toEqual({
    chats: 0,
    tickets: 0,
  });

  const { teams } = await reportTeams(own.site, MARCH);
  expect(teams.map((one) => [one.team?.name, one.chats, one.chat_answers.mean_s, one.rated.average])).toEqual(
    [
      ['=Billing', 3, 420, 3.33],
      ['Repairs', 0, null, null],
      [undefined, 1, 600, 2],
    ],
  );
  const rows = [...csvRecords((await exportReport(own.site, { ...MARCH, report: 'teams' })).text)].map(
    ({ cells }) => cells,
  );
  expect(rows.map((cells) => cells.slice(0, 2))).toEqual([
    ['team', 'chats'],
    ["'=Billing", '3'],
    ['Repairs', '0'],
    ['', '1'],
  ]);

  const ratings = async (order: 'asc' | 'desc') => {
    const found: number[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 5; pages++) {
      const page = await listComments(own.site, { ...span, limit: 1, order, cursor });
      found.push(...page.items.map(({ rating }) => rating));
      if (page.next_cursor === null) return found;
      cursor = page.next_cursor;
    }
    return found;
  };
  expect(await ratings('desc')).toEqual([4, 1, 5]);
  expect(await ratings('asc')).toEqual([5, 1, 4]);
  expect((await listComments(own.site, { ...span, limit: 9, order: 'desc', rating: 1 })).items).toHaveLength(
    1,
  );
  const { success } = contract['reports.get'].input.safeParse({ report: 'teams', team_id });
  expect(success).toBe(false);
});

test('an export opens as a table, and a text that looks like a formula stays text', async () => {
  const { name, text } = await exportReport(shop.site, { ...MARCH, report: 'comments' });
  expect(name).toBe('comments-2026-03-01-to-2026-03-31.csv');
  const rows = [...csvRecords(text)].map(({ cells }) => cells);
  expect(rows[0]?.slice(0, 3)).toEqual(['created_utc', 'rating', 'comment']);
  expect(rows[1]?.[2]).toBe(`'=HYPERLINK("https://evil.example","x")`);
  expect(rows[1]?.[5]).toBe(`'=Ada`);
  for (const report of [
    'volume',
    'responses',
    'hours',
    'bot',
    'satisfaction',
    'teams',
    'agents',
    'tags',
  ] as const) {
    const records = [...csvRecords((await exportReport(shop.site, { ...MARCH, report })).text)];
    expect(records.length).toBeGreaterThan(1);
    expect(new Set(records.map(({ cells }) => cells.length)).size).toBe(1);
  }
});

test('another site’s report has nothing of this one', async () => {
  const other = await openShop(ground);
  expect((await reportVolume(other.site, MARCH)).now).toEqual({ chats: 0, tickets: 0 });
  expect((await reportAgents(other.site, MARCH)).agents).toEqual([]);
});

test('an invalid range is refused', () => {
  const ok = (input: object) => contract['reports.volume'].input.safeParse(input).success;
  expect(ok({})).toBe(true);
  expect(ok({ range: 'custom', from: '2026-03-01', to: '2026-03-01' })).toBe(true);
  for (const odd of [
    { range: 'custom' },
    { range: 'custom', from: '2026-03-02', to: '2026-03-01' },
    { range: 'custom', from: '2020-03-02', to: '2026-03-01' },
    { range: '7d', from: '2026-03-02' },
    { range: 'custom', from: '2026-02-30', to: '2026-03-01' },
    { range: 'year' },
  ])
    expect(ok(odd)).toBe(false);
});

test('shows how many SLA targets were met, by policy, team and assignee', async () => {
  const own = await openShop(ground);
  const ada = await own.agent('Ada');
  const { id: policyId } = await createPolicy(
    ada.at('2026-03-01T08:00:00Z'),
    contract['sla_policies.create'].input.parse({
      name: '=Standard',
      targets: {
        first_response: { normal: 60 },
        next_response: { normal: 60 },
        resolution: { normal: 6000 },
      },
    }),
  );
  const team = await createTeam(ada.at('2026-03-01T08:00:00Z'), { name: 'Billing' });
  const say = (time: string, id: number, type: 'agent' | 'requester') =>
    ada.at(time).transaction(async (tx) =>
      replyToTicket(tx, await lockTicket(tx, id), {
        type: 'public',
        body: 'Hello',
        author: { type, id: type === 'agent' ? ada.id : null, name: '' },
      }),
    );
  const make = (parts: object) =>
    createTicket(
      ada.at('2026-03-05T23:30:00Z'),
      contract['tickets.create'].input.parse({
        subject: 'Lamp',
        body: 'It broke.',
        requester: { key: 'user_1' },
        ...parts,
      }),
    );
  const [mine, ofTeam] = [await make({ assignee_id: ada.id }), await make({ team_id: team.id })];
  await say('2026-03-06T00:00:00Z', mine.id, 'agent');
  await say('2026-03-06T01:00:00Z', mine.id, 'requester');
  await say('2026-03-06T01:30:00Z', mine.id, 'agent');
  await say('2026-03-06T02:00:00Z', mine.id, 'requester');
  await say('2026-03-06T04:00:00Z', mine.id, 'agent');
  await say('2026-03-06T00:40:00Z', ofTeam.id, 'agent');
  await make({ priority: 'low' });
  await own.count();
  const report = await reportSlas(own.site, MARCH);
  expect(report).toMatchObject({
    now: { met: 2, missed: 2 },
    earlier: { met: 0, missed: 0 },
    targets: [
      { target: 'first_response', met: 1, missed: 1 },
      { target: 'next_response', met: 1, missed: 1 },
      { target: 'resolution', met: 0, missed: 0 },
    ],
    policies: [{ id: policyId, name: '=Standard', met: 2, missed: 2 }],
    teams: [
      { id: null, name: null, met: 2, missed: 1 },
      { id: team.id, name: 'Billing', met: 0, missed: 1 },
    ],
    agents: [
      { id: ada.id, name: 'Ada', met: 2, missed: 1 },
      { id: null, name: null, met: 0, missed: 1 },
    ],
  });
  expect(report.days[4]).toEqual({ day: '2026-03-05', met: 2, missed: 2 });
  const { text } = await exportReport(own.site, { ...MARCH, report: 'slas' });
  expect([...csvRecords(text)].map(({ cells }) => cells)).toContainEqual([
    'policies',
    "'=Standard",
    '2',
    '2',
    '50',
  ]);
  await updateSite(own.site, { time_zone: 'Europe/Berlin' });
  await own.count();
  expect((await reportSlas(own.site, MARCH)).days[5]).toEqual({ day: '2026-03-06', met: 2, missed: 2 });
});
