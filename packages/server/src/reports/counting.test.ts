import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OfficeHours } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../test/find-due.ts';
import { countFromNothing, openShop, type Shop } from '../../test/fixtures/reports.ts';
import { useGround } from '../../test/ground.ts';
import { mail, openMailDesk } from '../../test/mails/mail-desk.ts';
import { appendMessage } from '../conversations/append/append-message.ts';
import { rate } from '../conversations/chat.ts';
import { closeSession } from '../conversations/closing.ts';
import { acceptSession, markReadByAgent, reply, setTags, transferSession } from '../conversations/desk.ts';
import { handOff } from '../conversations/handoffs.ts';
import type { StoredEvent } from '../db/column-types.ts';
import { eraseVisitor } from '../erasure/erase-visitor.ts';
import { updateSite } from '../sites/sites.ts';
import { createTeam } from '../sites/teams/teams.ts';
import { changeTicket } from '../tickets/changes.ts';
import { createTicket } from '../tickets/mails/new-by-mail.ts';
import { addReply } from '../tickets/replies/replies.ts';
import { deleteTicket, lockTicket } from '../tickets/tickets.ts';
import { reportClock } from './clock.ts';
import { countSite } from './counting.ts';

const FILL = new URL('../../migrations/fills/0340_reports_by_team.sql', import.meta.url);
const ground = useGround();
let shop: Shop;

beforeEach(async () => {
  shop = await openShop(ground);
});

const say = (ctx: Shop['site'], sessionId: string, text: string) =>
  reply(ctx, sessionId, { clientId: randomUUID(), text });

const botSays = (ctx: Shop['site'], sessionId: string, text: string, event?: StoredEvent) =>
  ctx.transaction((tx) =>
    appendMessage(
      tx,
      sessionId,
      { sender: 'bot', clientId: randomUUID(), text, ...(event ? { event } : {}) },
      sql`true`,
    ),
  );

/** A chat that the bot could not answer, and that Ada did. */
async function holdChat() {
  const ada = await shop.agent('Ada');
  const chat = await shop.chat('2026-03-02T09:00:00Z');
  await botSays(shop.at('2026-03-02T09:00:10Z'), chat.id, 'It takes three days.');
  await botSays(shop.at('2026-03-02T09:00:30Z'), chat.id, 'No idea.', 'not_known');
  await handOff(chat.at('2026-03-02T09:01:00Z'), chat.id, { reason: 'visitor_request' });
  await say(ada.at('2026-03-02T09:03:00Z'), chat.id, 'Ada here.');
  await say(ada.at('2026-03-02T09:04:00Z'), chat.id, 'It is on its way.');
  await setTags(ada.at('2026-03-02T09:05:00Z'), chat.id, ['parcel']);
  await closeSession(ada.at('2026-03-02T09:31:00Z'), chat.id);
  await rate(chat.at('2026-03-03T00:10:00Z'), chat.id, 4, 'Quick');
  const { id: tag } = await ground.db
    .selectFrom('tags')
    .select('id')
    .where('site_id', '=', shop.site.site.id)
    .executeTakeFirstOrThrow();
  return { ada, chat, tag };
}

async function holdTicket(priority: 'low' | 'high' = 'low') {
  const ben = await shop.agent('Ben');
  const ticket = await createTicket(shop.at('2026-03-02T22:30:00Z'), {
    subject: 'Where is it?',
    body: 'My parcel.',
    requester: { key: `user_${randomUUID()}` },
    priority,
  });
  const change = (time: string, status: 'open' | 'solved') =>
    ben.at(time).transaction(async (tx) => {
      await changeTicket(tx, await lockTicket(tx, ticket.id), { status, assignee_id: ben.id });
    });
  const answer = (time: string) =>
    ben.at(time).transaction(async (tx) => {
      const author = { type: 'agent', id: ben.id, name: 'Ben' } as const;
      await addReply(tx, await lockTicket(tx, ticket.id), { type: 'public', body: 'Soon.', author });
    });
  return { ben, ticket, change, answer };
}

const HOURS: OfficeHours = {
  time_zone: 'Asia/Kolkata',
  weekly: {
    monday: [{ from: '09:00', to: '14:32' }],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  },
  holidays: [],
};

const marks = () =>
  ground.db.selectFrom('report_dirty_records').selectAll().where('site_id', '=', shop.site.site.id).execute();

const of = async (...measures: string[]): Promise<string[]> =>
  (await shop.sums()).filter((line) => measures.includes(line.split(' ')[0] ?? ''));

test('a chat is counted by when it began, was handed over, was answered, was tagged, ended and was rated', async () => {
  const { ada, tag } = await holdChat();
  await shop.count();
  expect(await shop.sums()).toEqual(
    [
      'chats 2026-03-02 closed 9 1 0',
      'chat_calls 2026-03-02 visitor_request 0 1 0',
      // 120 s, and 30 min.
      'chat_answers 2026-03-02  55 1 120',
      `agent_answers 2026-03-02 ${ada.id} 55 1 120`,
      'chat_ends 2026-03-02  86 1 1800',
      `agent_ends 2026-03-02 ${ada.id} 86 1 1800`,
      `agent_chats 2026-03-02 ${ada.id} 0 1 2`,
      'bot_turns 2026-03-02 answered 0 1 0',
      'bot_turns 2026-03-02 unknown 0 1 0',
      'bot_chats 2026-03-02 handed_off 0 1 0',
      `chat_tags 2026-03-02 ${tag} 0 1 0`,
      `ratings 2026-03-03 ${ada.id} 4 1 0`,
      `tag_ratings 2026-03-03 ${tag} 4 1 0`,
    ].toSorted(),
  );
});

test('a ticket is counted by when it was created, answered and solved, and moves when that changes', async () => {
  const { ben, change, answer } = await holdTicket();
  await answer('2026-03-02T23:30:00Z');
  await change('2026-03-04T22:30:00Z', 'solved');
  await shop.count();
  const made = [
    'ticket_channels 2026-03-02 direct 0 1 0',
    'ticket_answers 2026-03-02  94 1 3600',
    `agent_ticket_answers 2026-03-02 ${ben.id} 0 1 0`,
  ];
  expect(await shop.sums()).toEqual(
    [
      ...made,
      'tickets 2026-03-02 solved 22 1 0',
      'ticket_ends 2026-03-04  139 1 172800',
      `agent_ticket_ends 2026-03-04 ${ben.id} 0 1 0`,
    ].toSorted(),
  );
  await change('2026-03-05T10:00:00Z', 'open');
  await shop.count();
  expect(await shop.sums()).toEqual([...made, 'tickets 2026-03-02 open 22 1 0'].toSorted());
});

test('a ticket that began with an email of the customer is counted as one', async () => {
  const desk = await openMailDesk(ground);
  await desk.receive(mail({}));
  await countSite(desk.ctx);
  const { rows } = await sql<{ subject: string; count: number }>`
    select subject, count from report_days
    where site_id = ${desk.ctx.site.id} and measure = 'ticket_channels'`.execute(ground.db);
  expect(rows).toEqual([{ subject: 'email', count: 1 }]);
});

test('a late change of a chat replaces what was counted before', async () => {
  const chat = await shop.chat('2026-03-02T09:00:00Z');
  await handOff(chat.at('2026-03-02T09:01:00Z'), chat.id, { reason: 'rule' });
  await shop.count();
  expect(await of('chats', 'chat_unanswered')).toEqual([
    'chat_unanswered 2026-03-02 waiting 0 1 0',
    'chats 2026-03-02 waiting 9 1 0',
  ]);
  await closeSession(chat.at('2026-05-02T09:01:00Z'), chat.id);
  await shop.count();
  expect(await of('chats', 'chat_unanswered')).toEqual([
    'chat_unanswered 2026-03-02 closed 0 1 0',
    'chats 2026-03-02 closed 9 1 0',
  ]);
});

test('a chat and a ticket of a team count for the team too, and a transfer moves their counts', async () => {
  const ada = await shop.agent('Ada');
  const [billing, repairs] = [
    await createTeam(shop.site, { name: 'Billing' }),
    await createTeam(shop.site, { name: 'Repairs' }),
  ];
  const chat = await shop.chat('2026-03-02T09:00:00Z');
  await handOff(chat.at('2026-03-02T09:01:00Z'), chat.id, { reason: 'rule' });
  await transferSession(ada.at('2026-03-02T09:02:00Z'), chat.id, null, undefined, billing.id);
  const { ticket, change } = await holdTicket();
  const moveTicket = (team_id: number | null) =>
    shop.at('2026-03-03T08:00:00Z').transaction(async (tx) => {
      await changeTicket(tx, await lockTicket(tx, ticket.id), { team_id });
    });
  await moveTicket(billing.id);
  await shop.count();
  const all = (await shop.sums()).filter((line) => !line.includes('@'));
  const doubled = (team: { id: number }, lines = all) =>
    lines.map((line) => line.replace(' ', `@${team.id} `));
  expect(await shop.sums()).toEqual([...all, ...doubled(billing)].toSorted());
  await transferSession(ada.at('2026-03-02T09:04:00Z'), chat.id, null, undefined, repairs.id);
  await moveTicket(null);
  await shop.count();
  const chats = all.filter((line) => line.startsWith('chat'));
  expect(await shop.sums()).toEqual([...all, ...doubled(repairs, chats)].toSorted());
  await change('2026-03-04T22:30:00Z', 'solved');
  await shop.count();
  const moved = await shop.sums();
  await countFromNothing(ground, shop);
  expect(await shop.sums()).toEqual(moved);
});

test('records counted by a version without sums by team are counted again, once, in sites with teams', async () => {
  const chat = await shop.chat('2026-03-02T09:00:00Z');
  await shop.count();
  const fill = () => sql.raw(readFileSync(FILL, 'utf8')).execute(ground.db);
  const forget = () =>
    ground.db
      .updateTable('report_sites')
      .set({ counted_by_team_at: null })
      .where('site_id', '=', shop.site.site.id)
      .execute();
  const below = async () =>
    (
      await ground.db
        .selectFrom('report_sites')
        .select(['chats_below', 'counted_by_team_at'])
        .where('site_id', '=', shop.site.site.id)
        .executeTakeFirstOrThrow()
    ).chats_below;
  await forget();
  await fill();
  expect(await below()).toBeNull();
  const { id } = await createTeam(shop.site, { name: 'Billing' });
  await sql`update conversations set team_id = ${id} where session_id = ${chat.id}`.execute(ground.db);
  await forget();
  await fill();
  await shop.count();
  expect(await of('chats', `chats@${id}`)).toEqual([
    'chats 2026-03-02 bot 9 1 0',
    `chats@${id} 2026-03-02 bot 9 1 0`,
  ]);
  await fill();
  expect(await below()).toBeNull();
});

test('reading causes no recount', async () => {
  const { ada, chat } = await holdChat();
  await shop.count();
  await markReadByAgent(ada.at('2026-03-02T09:40:00Z'), chat.id, 1);
  expect(await marks()).toEqual([]);
});

test('an erased visitor removes nothing from the sums, and a deleted ticket everything that it had added', async () => {
  const { chat } = await holdChat();
  const { ticket, ben } = await holdTicket();
  await shop.count();
  const before = await shop.sums();
  await eraseVisitor(shop.at('2026-03-04T00:00:00Z'), chat.key);
  await shop.count();
  expect(await shop.sums()).toEqual(before);
  const tx = ben.at('2026-03-04T00:00:00Z');
  await tx.transaction(async (inner) => deleteTicket(inner, await lockTicket(inner, ticket.id)));
  await shop.count();
  expect(await shop.sums()).toEqual(before.filter((line) => !line.startsWith('ticket')));
});

test('existing records are counted from nothing to the same sums, and a second run changes none', async () => {
  await holdChat();
  await holdTicket();
  for (let at = 0; at < 3; at++) await shop.chat(`2026-03-0${4 + at}T10:00:00Z`);
  await shop.count();
  const kept = await shop.sums();
  await countFromNothing(ground, shop);
  expect(await shop.sums()).toEqual(kept);
  await shop.count();
  expect(await shop.sums()).toEqual(kept);
});

test('another time zone moves days and hours, and counts waits by the office hours', async () => {
  await holdChat();
  await holdTicket();
  await shop.count();
  await updateSite(shop.site, { office_hours: HOURS });
  await shop.count();
  expect(await of('chats', 'tickets', 'ratings', 'chat_answers_open')).toEqual([
    // From 14:31 to 14:33 it was open for a minute.
    'chat_answers_open 2026-03-02  47 1 60',
    'chats 2026-03-02 closed 14 1 0',
    expect.stringMatching(/^ratings 2026-03-03 \d+ 4 1 0$/),
    'tickets 2026-03-03 new 4 1 0',
  ]);
  const moved = await shop.sums();
  await countFromNothing(ground, shop);
  expect(await shop.sums()).toEqual(moved);
});

test('processes that count at once, while chats continue, count each thing once', async () => {
  const ada = await shop.agent('Ada');
  const live = async (day: number): Promise<void> => {
    const date = `2026-04-${String(day).padStart(2, '0')}`;
    const chat = await shop.chat(`${date}T08:00:00Z`);
    await acceptSession(ada.at(`${date}T08:01:00Z`), chat.id, true);
    await say(ada.at(`${date}T08:02:00Z`), chat.id, 'Hello');
    await closeSession(ada.at(`${date}T08:03:00Z`), chat.id);
    await rate(chat.at(`${date}T08:04:00Z`), chat.id, 5, '');
  };
  let over = false;
  const counters = [1, 2, 3].map(async () => {
    while (!over) await shop.count();
  });
  await Promise.all(Array.from({ length: 12 }, (_, at) => live(at + 1)));
  over = true;
  await Promise.all(counters);
  await shop.count();
  const kept = await shop.sums();
  expect(kept.filter((line) => line.startsWith('chats'))).toHaveLength(12);
  await countFromNothing(ground, shop);
  expect(await shop.sums()).toEqual(kept);
});

test('a process that dies while it counts loses and doubles nothing', async () => {
  await holdChat();
  const dying = ground.contextOf(shop.site.site.id, { actor: { kind: 'job' } });
  // Its last statement never comes: the connection is cut after the sums.
  await sql`
    create function cut() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(
    ground.db,
  );
  await sql`create trigger cut before update on report_sites for each row execute function cut()`.execute(
    ground.db,
  );
  const [job] = reportClock;
  await expect(job?.run(dying, dying.site.id)).rejects.toThrow();
  await sql`drop trigger cut on report_sites`.execute(ground.db);
  expect(await shop.sums()).toEqual([]);
  expect(await findDue(job, ground.db, new Date(), 100)).toContainEqual({
    siteId: dying.site.id,
    id: dying.site.id,
  });
  await shop.count();
  const kept = await shop.sums();
  expect(kept).not.toEqual([]);
  await countFromNothing(ground, shop);
  expect(await shop.sums()).toEqual(kept);
});

test('a change that is rolled back leaves no mark', async () => {
  const chat = await shop.chat('2026-03-02T09:00:00Z');
  await shop.count();
  const undone = shop.site.transaction(async (tx) => {
    await handOff(tx, chat.id, { reason: 'rule' });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await marks()).toEqual([]);
});
