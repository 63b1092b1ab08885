import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { appendMessage } from './append-message.ts';
import { isWritersOwn, isWritersOwnAlone } from './statement.ts';

const ground = useGround();
/** A process's own connections: statements that arrive together share commits. */
let database: Database;
beforeAll(() => {
  database = openDatabase(ground.url);
});
afterAll(() => database.close());

interface Chat {
  siteId: number;
  sessionId: string;
  agentId: number;
  /** The context of its visitor. */
  visitor: SiteContext;
}

async function chatAt(siteId: number, status = 'active', isDeskOpen = false): Promise<Chat> {
  const [userId, sessionId] = [randomUUID(), `ses_${randomUUID()}`];
  const { rows } = await sql<{ agentId: number; visitorId: number; deviceId: number }>`
    with person as (
      insert into auth_users (id, name, email) values (${userId}, 'Ada', ${`${userId}@example.com`}) returning id
    ), agent as (
      insert into agents (site_id, user_id, role, name) select ${siteId}, id, 'agent', 'Ada' from person returning id
    ), visitor as (
      insert into visitors (site_id, key) values (${siteId}, ${randomUUID()}) returning id
    ), device as (
      insert into visitor_devices (site_id, visitor_id, token_hash)
      select ${siteId}, id, sha256(${randomUUID()}::bytea) from visitor returning id
    ), chat as (
      insert into conversations (site_id, session_id, visitor_id, device_id, start_client_id, status, agent_id)
      select ${siteId}, ${sessionId}, visitor.id, device.id, gen_random_uuid(), ${status}, agent.id
      from visitor, device, agent returning id
    )
    select agent.id as "agentId", visitor.id as "visitorId", device.id as "deviceId"
    from agent, visitor, device, chat`.execute(database.db);
  const [{ agentId, visitorId, deviceId } = { agentId: 0, visitorId: 0, deviceId: 0 }] = rows;
  const actor = { kind: 'visitor', visitorId, deviceId, verified: false } as const;
  const desks = { areOpen: async () => isDeskOpen };
  return { siteId, sessionId, agentId, visitor: ground.contextOf(siteId, { actor, db: database.db, desks }) };
}

const say = (chat: Chat, text: string, guard = isWritersOwn, by = chat.visitor) =>
  appendMessage(by, chat.sessionId, { sender: 'visitor', clientId: randomUUID(), text }, guard);

describe('messages of several sites that arrive together', () => {
  /** The sites. Only a has an SLA policy, and only b a rule and a webhook for messages. */
  let [a, b]: number[] = [];
  let chats: Chat[];
  let seqs: (number | undefined)[];

  beforeAll(async () => {
    [a, b] = [(await ground.makeSite()).site.id, (await ground.makeSite()).site.id];
    const [first, second, third, fourth] = [
      await chatAt(a),
      await chatAt(a),
      await chatAt(b),
      await chatAt(b),
    ];
    chats = [first, second, third, fourth];
    const closed = await chatAt(b, 'closed');
    await sql`
      insert into rules (site_id, name, position, trigger, events, actions, enabled_at)
      values (${b}, 'Rule', 1, '{}', ${['message_created']}, '[]', now())`.execute(database.db);
    await sql`
      insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
      values (${b}, 'https://receiver.example', ${['message_created']}, 'x', 'xxxx')`.execute(database.db);
    await sql`
      insert into sla_policies (site_id, name, position, targets, applies_to)
      values (${a}, 'Policy', 1, '{}', '["chats"]')`.execute(database.db);
    const said = await Promise.all([
      ...chats.map((chat, at) => say(chat, `Message ${at}`)),
      say(closed, 'The chat is closed'),
      say(first, 'Another visitor’s chat', isWritersOwn, second.visitor),
      say(third, 'With a delivery', isWritersOwnAlone),
      say(first, 'Second message'),
    ]);
    seqs = said.map((one) => one?.message.seq);
  });

  const select = async <T>(query: RawBuilder<T>): Promise<T[]> => (await query.execute(database.db)).rows;
  const sessionsOf = (siteId: number | undefined): string[] =>
    chats.filter((chat) => chat.siteId === siteId).map(({ sessionId }) => sessionId);

  it('are stored in one transaction, but for those that their chats don’t take', async () => {
    expect(seqs).toEqual([1, 1, 1, 1, undefined, undefined, undefined, 2]);
    const stored = await select(sql<{ chat: string; text: string; tx: string }>`
      select c.session_id as chat, m.text, m.xmin::text as tx from messages m
      join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
      where m.site_id in (${a}, ${b}) order by c.id, m.seq`);
    expect(new Set(stored.map(({ tx }) => tx)).size).toBe(1);
    expect(stored.map(({ chat, text }) => [chat, text])).toEqual(
      chats.flatMap(({ sessionId }, at) => [
        [sessionId, `Message ${at}`],
        ...(at === 0 ? [[sessionId, 'Second message']] : []),
      ]),
    );
  });

  it('change what lists show of their chats alone', async () => {
    const shown = await select(sql<{ chat: string; said_text: string; last_seq: number }>`
      select session_id as chat, said_text, last_seq from conversations
      where site_id in (${a}, ${b}) order by id`);
    expect(shown.map(({ chat, said_text, last_seq }) => [chat, said_text, last_seq])).toEqual([
      ...chats.map(({ sessionId }, at) =>
        at === 0 ? [sessionId, 'Second message', 2] : [sessionId, `Message ${at}`, 1],
      ),
      [expect.any(String), null, 0],
    ]);
  });

  it('notify the agent of each chat, and are in the outbox once', async () => {
    const notified = await select(sql<{ agent_id: number; count: number }>`
      select agent_id, count from notifications where site_id in (${a}, ${b}) order by conversation_id`);
    expect(notified).toEqual(
      chats.map(({ agentId }, at) => ({ agent_id: agentId, count: at === 0 ? 2 : 1 })),
    );
    const recorded = await select(sql<{ siteId: number; notices: object[] }>`
      select site_id as "siteId", notices from notice_outbox where site_id in (${a}, ${b})`);
    const expected = chats.map(({ siteId, sessionId, agentId }) => ({
      siteId,
      notices: [
        { kind: 'message', sessionId, seq: 1 },
        { kind: 'notified', ids: [expect.any(Number)], agentIds: [agentId] },
      ],
    }));
    const ofMessages = recorded.filter(({ notices }) => JSON.stringify(notices).includes('"message"'));
    expect(ofMessages).toHaveLength(5);
    expect(ofMessages).toEqual(expect.arrayContaining(expected));
  });

  it('start the clock of SLAs, rules and deliveries only where a site has them', async () => {
    const due = await select(sql<{ chat: string }>`
      select c.session_id as chat from chat_slas s
      join conversations c on c.site_id = s.site_id and c.id = s.conversation_id
      where s.site_id in (${a}, ${b}) order by c.id`);
    expect(due.map(({ chat }) => chat)).toEqual(sessionsOf(a));
    const forRules = await select(sql<{ chat: string }>`
      select session_id as chat from rule_events where site_id in (${a}, ${b}) and event = 'message_created'`);
    expect(forRules.map(({ chat }) => chat).sort()).toEqual(sessionsOf(b).sort());
    const delivered = await select(sql<{ site_id: number; text: string }>`
      select site_id, convert_from(body, 'utf8')::jsonb -> 'message' ->> 'text' as text from webhook_events
      where site_id in (${a}, ${b}) and event = 'message_created'`);
    expect(delivered.map(({ site_id, text }) => [site_id, text]).sort()).toEqual([
      [b, 'Message 2'],
      [b, 'Message 3'],
    ]);
  });
});

it('messages of sites with open desks are stored in one transaction, and each notice has its own chat', async () => {
  const chats = [];
  for (const siteId of [(await ground.makeSite()).site.id, (await ground.makeSite()).site.id])
    for (let at = 0; at < 2; at++) chats.push(await chatAt(siteId, 'active', true));
  const from = ground.notices.length;
  await Promise.all(chats.map((chat, at) => say(chat, `Listed ${at}`)));
  const { rows } = await sql<{ tx: string }>`
    select distinct xmin::text as tx from messages where text like 'Listed _'`.execute(database.db);
  expect(rows).toHaveLength(1);
  const shown = ground.notices
    .slice(from)
    .flatMap((notice) => (notice.kind === 'message' && notice.session ? [notice] : []));
  expect(shown).toHaveLength(chats.length);
  for (const [at, { siteId, sessionId, agentId }] of chats.entries())
    expect(shown).toContainEqual(
      expect.objectContaining({
        siteId,
        sessionId,
        session: expect.objectContaining({
          session_id: sessionId,
          agent: expect.objectContaining({ id: agentId }),
          last_message: expect.objectContaining({ text: `Listed ${at}` }),
        }),
      }),
    );
});

it('a message that was stored before is refused, and those that arrive with it are stored', async () => {
  const siteId = (await ground.makeSite()).site.id;
  const [known, other] = [await chatAt(siteId), await chatAt(siteId)];
  const draft = { sender: 'visitor', clientId: randomUUID(), text: 'Hello' } as const;
  await appendMessage(known.visitor, known.sessionId, draft, isWritersOwn);
  const [again, next] = await Promise.allSettled([
    appendMessage(known.visitor, known.sessionId, draft, isWritersOwn),
    say(other, 'Hi'),
  ]);
  expect(again).toMatchObject({ status: 'rejected', reason: { constraint: 'messages_once' } });
  expect(next).toMatchObject({ status: 'fulfilled', value: { message: { seq: 1, text: 'Hi' } } });
});

it('texts come back as they are, with quotes, half a pair of surrogates and a backslash', async () => {
  const chat = await chatAt((await ground.makeSite()).site.id);
  const text = '"\\u0041" \\ \ud83d 😀 {"a":[1]}\n\t';
  const said = await say(chat, text);
  const { rows } = await sql<{ text: string; last_text: string }>`
    select m.text, c.last_text from messages m
    join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
    where c.session_id = ${chat.sessionId}`.execute(database.db);
  expect(said?.message.text).toBe(text.toWellFormed());
  expect(rows).toEqual([{ text: text.toWellFormed(), last_text: text.toWellFormed() }]);
});
