import { randomUUID } from 'node:crypto';
import { contract, type InputOf, type ReportConversation } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../test/fixtures/reports.ts';
import { useGround } from '../../../test/ground.ts';
import { appendMessage } from '../../conversations/append/append-message.ts';
import { rate } from '../../conversations/chat.ts';
import { closeSession } from '../../conversations/closing.ts';
import { reply, setTags } from '../../conversations/desk.ts';
import { handOff } from '../../conversations/handoffs.ts';
import { updateSite } from '../../sites/sites.ts';
import { createTeam } from '../../sites/teams/teams.ts';
import { changeTicket } from '../../tickets/changes.ts';
import { createTicket } from '../../tickets/mails/new-by-mail.ts';
import { addReply } from '../../tickets/replies/replies.ts';
import { lockTicket } from '../../tickets/tickets.ts';
import { reportBot } from '../bot-report.ts';
import { reportAgents, reportTags } from '../people-and-tags.ts';
import { reportResponses } from '../responses.ts';
import { reportSatisfaction } from '../satisfaction.ts';
import { reportTeams } from '../teams.ts';
import { reportHours, reportVolume } from '../traffic.ts';
import { listConversations } from './conversations.ts';

// Every figure of every report leads to as many conversations as it counts.

const ground = useGround();
let shop: Shop;

type FigureInput = Omit<InputOf<'reports.conversations'>, 'limit' | 'cursor' | 'range' | 'from' | 'to'>;
interface Days {
  from: string;
  to: string;
}
const MARCH = { from: '2026-03-01', to: '2026-03-31' };
/** The team to restrict to, while a test checks one. */
let team: { team_id?: number } = {};
const custom = (days: Days) => ({ range: 'custom', ...days, ...team }) as const;
const one = (day: string): Days => ({ from: day, to: day });

/** The conversations behind a figure, read in pages of three. */
async function listed(figure: FigureInput, days: Days = MARCH, of: Shop = shop) {
  const items: ReportConversation[] = [];
  for (let cursor: string | undefined; ; ) {
    const input = { ...custom(days), ...figure, limit: 3, ...(cursor === undefined ? {} : { cursor }) };
    const page = await listConversations(of.site, contract['reports.conversations'].input.parse(input));
    items.push(...page.items);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  const ids = items.map((item) => (item.kind === 'chat' ? item.session_id : String(item.id)));
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}

const botSays = (at: Shop['site'], sessionId: string, event?: 'not_known') =>
  at.transaction((tx) =>
    appendMessage(
      tx,
      sessionId,
      { sender: 'bot', clientId: randomUUID(), text: 'Hm.', ...(event ? { event } : {}) },
      sql`true`,
    ),
  );
const after = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString();

/** Moments around the midnights of many zones, and the change of clocks in Europe and in New Zealand. */
const MOMENTS = ['02', '03', '09', '29', '30'].flatMap((day) =>
  ['00:00:00', '03:29:59', '10:59:59', '11:00:00', '18:29:59', '22:59:59', '23:59:59'].map(
    (time) => `2026-03-${day}T${time}Z`,
  ),
);

/** Chats and tickets at each moment, each with another life. */
async function fill(to: Shop): Promise<void> {
  const [ada, ben] = [await to.agent('Ada'), await to.agent('Ben')];
  for (const [at, time] of MOMENTS.entries()) {
    const chat = await to.chat(time);
    if (at % 3 !== 0) await botSays(to.at(after(time, 1)), chat.id, at % 4 === 0 ? 'not_known' : undefined);
    if (at % 5 === 1) await botSays(to.at(after(time, 700)), chat.id);
    if (at % 2 === 0) {
      const called = after(time, 3);
      await handOff(chat.at(called), chat.id, { reason: at % 4 === 0 ? 'visitor_request' : 'rule' });
      const agent = at % 6 === 0 ? ada : ben;
      if (at % 8 !== 0)
        await reply(agent.at(after(called, at)), chat.id, { clientId: randomUUID(), text: 'Hello' });
      await setTags(agent.at(after(called, 60)), chat.id, at % 4 === 0 ? ['parcel'] : ['parcel', 'lamp']);
      if (at % 6 !== 2) {
        await closeSession(agent.at(after(called, 400)), chat.id);
        await rate(chat.at(after(called, 401)), chat.id, 1 + (at % 5), '');
      }
    } else if (at % 7 === 0) {
      await closeSession(to.at(after(time, 30)), chat.id);
      await rate(chat.at(after(time, 31)), chat.id, 5, '');
    }
    if (at % 4 === 1) await addTicket(to, ben, time, at);
  }
}

async function addTicket(to: Shop, ben: Awaited<ReturnType<Shop['agent']>>, time: string, at: number) {
  const requester = { email: 'ada@b.example' };
  const ticket = await createTicket(to.at(time), {
    subject: time,
    body: 'Broken',
    requester,
    tags: ['lamp'],
  });
  const author = { type: 'agent', id: ben.id, name: 'Ben' } as const;
  if (at % 8 === 1)
    await ben.at(after(time, at)).transaction(async (tx) => {
      await addReply(tx, await lockTicket(tx, ticket.id), { type: 'public', body: 'Soon.', author });
    });
  if (at % 3 === 0)
    await ben.at(after(time, 1_500)).transaction(async (tx) => {
      await changeTicket(tx, await lockTicket(tx, ticket.id), { status: 'solved', assignee_id: ben.id });
    });
}

type Expected = [count: number, figure: FigureInput, days?: Days];

async function volumeFigures(): Promise<Expected[]> {
  const { now, days, chat_states, ticket_states, ticket_channels } = await reportVolume(
    shop.site,
    custom(MARCH),
  );
  return [
    [now.chats + now.tickets, { figure: 'arrivals' }],
    ...days.flatMap(({ day, chats, tickets }): Expected[] => [
      [chats + tickets, { figure: 'arrivals' }, one(day)],
      [chats, { figure: 'chats' }, one(day)],
      [tickets, { figure: 'tickets' }, one(day)],
    ]),
    ...chat_states.map(({ name, count }): Expected => [count, { figure: 'chats', of: name }]),
    ...ticket_states.map(({ name, count }): Expected => [count, { figure: 'tickets', of: name }]),
    ...ticket_channels.map(({ name, count }): Expected => [count, { figure: 'ticket_channels', of: name }]),
  ];
}

async function responseFigures(): Promise<Expected[]> {
  const report = await reportResponses(shop.site, custom(MARCH));
  const kinds = ['chat_answers', 'chat_ends', 'ticket_answers', 'ticket_ends'] as const;
  return [
    ...kinds.flatMap((figure): Expected[] => [
      [report[figure].now.count, { figure }],
      ...report[figure].days.map(({ day, count }): Expected => [count, { figure }, one(day)]),
      ...report[figure].spread.map(({ count }, part): Expected => [count, { figure, part }]),
    ]),
    ...(['closed', 'waiting'] as const).map(
      (of): Expected => [report.chat_unanswered[of], { figure: 'chat_unanswered', of }],
    ),
  ];
}

async function hourFigures(): Promise<Expected[]> {
  const { cells } = await reportHours(shop.site, custom(MARCH));
  return cells.map(({ weekday, hour, chats, tickets }) => [
    chats + tickets,
    { figure: 'arrivals', weekday, part: hour },
  ]);
}

async function botFigures(): Promise<Expected[]> {
  const { now, days } = await reportBot(shop.site, custom(MARCH));
  const outcomes = ['answered', 'unanswered', 'handed_off'] as const;
  return [
    [now.answered + now.unanswered + now.handed_off, { figure: 'bot_chats' }],
    ...outcomes.map((of): Expected => [now[of], { figure: 'bot_chats', of }]),
    ...days.flatMap((day) =>
      outcomes.map((of): Expected => [day[of], { figure: 'bot_chats', of }, one(day.day)]),
    ),
  ];
}

async function satisfactionFigures(): Promise<Expected[]> {
  const { now, days, team, bot } = await reportSatisfaction(shop.site, custom(MARCH));
  return [
    [now.count, { figure: 'ratings' }],
    [team.count, { figure: 'ratings', of: 'team' }],
    [bot.count, { figure: 'ratings', of: 'bot' }],
    ...now.ratings.map((count, at): Expected => [count, { figure: 'ratings', part: at + 1 }]),
    ...days.map(({ day, count }): Expected => [count, { figure: 'ratings' }, one(day)]),
  ];
}

async function teamFigures(): Promise<Expected[]> {
  const { agents } = await reportAgents(shop.site, custom(MARCH));
  return agents.flatMap(({ agent, chats, answers, ends, tickets_answered, tickets_solved, rated }) => {
    const of = String(agent.id);
    return [
      [chats, { figure: 'agent_chats', of }],
      [answers.count, { figure: 'agent_answers', of }],
      [ends.count, { figure: 'agent_ends', of }],
      [tickets_answered, { figure: 'agent_ticket_answers', of }],
      [tickets_solved, { figure: 'agent_ticket_ends', of }],
      [rated.count, { figure: 'ratings', of }],
    ] satisfies Expected[];
  });
}

async function tagFigures(): Promise<Expected[]> {
  const { tags, before } = await reportTags(shop.site, custom(MARCH));
  return tags.flatMap((row) => {
    const of = String(row.tag.id);
    return [
      [row.chats, { figure: 'chat_tags', of }],
      [row.tickets, { figure: 'ticket_tags', of }],
      [row.chats_earlier + row.tickets_earlier, { figure: 'tags', of }, before],
      [row.rated.count, { figure: 'tag_ratings', of }],
    ] satisfies Expected[];
  });
}

const inZone = (zone: string, time: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(time));

describe.each(['UTC', 'Pacific/Auckland', 'America/St_Johns', 'Asia/Kolkata'])('in %s', (zone) => {
  let teamId: number;
  /** The team's chats and tickets. */
  let own: ReadonlySet<string>;
  beforeAll(async () => {
    // Beside it is a site with the same data at the same times.
    const other = await openShop(ground);
    shop = await openShop(ground);
    for (const each of [other, shop]) {
      await updateSite(each.site, { time_zone: zone });
      await fill(each);
      const { id } = await createTeam(each.site, { name: 'Billing' });
      const { rows } = await sql<{ id: string }>`
        with chats as (
          update conversations set team_id = ${id} where site_id = ${each.site.site.id} and id % 3 <> 0 returning session_id
        ), tickets as (
          update tickets set team_id = ${id} where site_id = ${each.site.site.id} and id % 3 <> 0 returning id::text
        ) select * from chats union all select * from tickets`.execute(ground.db);
      teamId = id;
      own = new Set(rows.map((row) => Object.values(row)[0] ?? ''));
      await each.count();
    }
  });

  test.each([
    ['volume', volumeFigures],
    ['response times', responseFigures],
    ['busiest hours', hourFigures],
    ['bot', botFigures],
    ['satisfaction', satisfactionFigures],
    ['team', teamFigures],
    ['tags', tagFigures],
  ])('%s: as many are listed as each figure counts', async (_, figures) => {
    const expected = await figures();
    expect(expected.filter(([count]) => count > 0).length).toBeGreaterThan(3);
    const faults: unknown[] = [];
    for (const [count, figure, days] of expected) {
      const { length } = await listed(figure, days);
      if (length !== count) faults.push({ count, length, figure, days });
    }
    expect(faults).toEqual([]);
  });

  test('of a team, as many of its own are listed as each figure counts', async () => {
    const whole = (await reportVolume(shop.site, custom(MARCH))).now;
    team = { team_id: teamId };
    const all = [
      volumeFigures,
      responseFigures,
      hourFigures,
      botFigures,
      satisfactionFigures,
      teamFigures,
      tagFigures,
    ];
    const expected = (await Promise.all(all.map((figures) => figures()))).flat();
    const faults: unknown[] = [];
    for (const [count, figure, days] of expected.filter(([count, , days]) => count > 0 && !days)) {
      const ids = await listed(figure, days);
      if (ids.length !== count || ids.some((id) => !own.has(id))) faults.push({ count, ids, figure });
    }
    team = {};
    expect(faults).toEqual([]);
    expect(expected.filter(([count]) => count > 0).length).toBeGreaterThan(30);
    const { teams } = await reportTeams(shop.site, custom(MARCH));
    expect(teams.map((one) => one.team?.id ?? null)).toEqual([teamId, null]);
    const sum = (figure: 'chats' | 'tickets') => teams.reduce((to, one) => to + one[figure], 0);
    expect({ chats: sum('chats'), tickets: sum('tickets') }).toEqual(whole);
  });

  test('a day lists the chats that began in it by the clock of the zone', async () => {
    const chats = await ground.db
      .selectFrom('conversations')
      .select(['session_id', 'started_at'])
      .where('site_id', '=', shop.site.site.id)
      .execute();
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-29', '2026-03-30', '2026-03-31']) {
      const own = chats.filter(({ started_at }) => inZone(zone, started_at.toISOString()) === day);
      expect((await listed({ figure: 'chats' }, one(day))).toSorted()).toEqual(
        own.map(({ session_id }) => session_id).toSorted(),
      );
    }
  });
});

describe('records that count more than once', () => {
  beforeAll(async () => {
    shop = await openShop(ground);
  });

  test('a chat with two handoffs and bot messages on two days is listed once, on the last day', async () => {
    const chat = await shop.chat('2026-03-02T09:00:00Z');
    const younger = await shop.chat('2026-03-03T09:00:00Z');
    for (const time of ['2026-03-02T09:00:10Z', '2026-03-05T09:00:10Z'])
      await botSays(shop.at(time), chat.id);
    await botSays(shop.at('2026-03-04T09:00:00Z'), younger.id);
    const others: string[] = [];
    for (const minute of [1, 2, 3, 4]) {
      const other = await shop.chat(`2026-03-01T09:0${minute}:00Z`);
      await botSays(shop.at(`2026-03-01T09:0${minute}:30Z`), other.id);
      others.unshift(other.id);
    }
    await shop.count();
    const { messages } = await reportBot(shop.site, custom(MARCH));
    expect(messages.answered).toBe(7);
    expect(await listed({ figure: 'bot_turns', of: 'answered' })).toEqual([chat.id, younger.id, ...others]);
  });

  test('the newest day comes first, in it the latest to begin, each once', async () => {
    const requester = { email: 'ada@b.example' };
    const ids: string[] = [];
    for (const time of ['2026-05-04T00:00:00Z', '2026-05-04T12:00:00Z', '2026-05-05T00:00:00Z'])
      ids.push(String((await createTicket(shop.at(time), { subject: time, body: 'Broken', requester })).id));
    const chats = [await shop.chat('2026-05-04T12:00:00Z'), await shop.chat('2026-05-03T23:59:59Z')];
    await shop.count();
    const monday = [chats[0]?.id, ids[1], ids[0]];
    expect(await listed({ figure: 'arrivals' }, one('2026-05-04'))).toEqual(monday);
    expect(await listed({ figure: 'arrivals' }, { from: '2026-05-03', to: '2026-05-05' })).toEqual([
      ids[2],
      ...monday,
      chats[1]?.id,
    ]);
  });

  test('an erased visitor’s chat stays in the list, without a name', async () => {
    const [first] = await listed({ figure: 'chats' }, one('2026-05-04'));
    await sql`
      update visitors set erased_at = now(), key = null where site_id = ${shop.site.site.id} and id = (
        select visitor_id from conversations where site_id = ${shop.site.site.id} and session_id = ${first}
      )`.execute(ground.db);
    const input = { ...custom(one('2026-05-04')), figure: 'chats' };
    const { items } = await listConversations(
      shop.site,
      contract['reports.conversations'].input.parse(input),
    );
    expect(items).toMatchObject([{ session_id: first, visitor: { key: null, name: null, email: null } }]);
  });
});
