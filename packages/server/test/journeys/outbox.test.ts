import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config.ts';
import { createToken } from '../../src/sites/tokens/api-tokens.ts';
import { createTicket } from '../../src/tickets/mails/new-by-mail.ts';
import { makeAgent } from '../accounts.ts';
import { answerOf, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { type Installation, makeInstallation } from '../foyer-process.ts';
import { silentLog, TEST_SECRET, until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';
import { openChat, say } from '../stand.ts';

// Notices that the bus loses: a process dies between commit and notice, a connection breaks, a notice is late.

let a: TestApp;
/** Its messages on the bus are lost, like those of a process that dies after each commit. */
let b: App;
let bUrl: string;
let bDatabaseUrl: string;
let site: TestSite;
let agent: TestSocket;

/** The fate of the other process's messages on the bus. */
const whatBecomes = {
  lost: `create or replace function silent.pg_notify(channel text, payload text) returns void language sql as ''`,
  refused: `create or replace function silent.pg_notify(channel text, payload text) returns void language sql as 'select 1/0'`,
  sent: `create or replace function silent.pg_notify(channel text, payload text) returns void language sql
    as 'select pg_catalog.pg_notify(channel, payload)'`,
};
const onServer = (text: string) => a.app.database.pool.query(text);
const busOfB = (fate: keyof typeof whatBecomes) => onServer(whatBecomes[fate]);

beforeAll(async () => {
  a = await startTestApp();
  await onServer('create schema silent');
  await busOfB('lost');
  const url = new URL(a.databaseUrl);
  url.searchParams.set('options', '-c search_path=public,silent,pg_catalog');
  bDatabaseUrl = url.href;
  const config = readConfig({ PORT: '0' });
  b = await createApp({ config, databaseUrl: bDatabaseUrl, secret: TEST_SECRET, log: silentLog });
  bUrl = await b.listen();
  site = await a.makeSite();
  agent = await TestSocket.agent(a.url, await a.signIn(site.admin.email));
});
afterAll(async () => {
  agent.cut();
  await b.close();
  await a.close();
});
beforeEach(async () => {
  await busOfB('lost');
  agent.frames.length = 0;
});

const onB = (url = bUrl) => ({ url, publicKey: site.publicKey });

/** A chat of this agent on the first process, with its visitor on another. */
async function openTalk(url = bUrl) {
  const { socket, id, welcome } = await openChat(onB(url));
  await agent.next('session_changed', ({ session }) => session.session_id === id);
  await agent.call('sessions.accept', { session_id: id });
  await agent.subscribe(id);
  return { socket, id, welcome };
}
type Talk = Awaited<ReturnType<typeof openTalk>>;

const seqsOf = (socket: TestSocket, id: string) => socket.messagesOf(id).map(({ seq }) => seq);
const listed = ({ id }: Talk, text: string) =>
  agent.next(
    'session_changed',
    ({ session }) => session.session_id === id && session.last_message?.text === text,
  );
const rings = ({ id }: Talk) =>
  agent.frames.filter(
    (frame) =>
      frame.type === 'notified' &&
      frame.notification.kind === 'chat_message' &&
      frame.notification.session_id === id,
  );

function rest(url: string, method: string, path: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }).then(answerOf);
}

describe('a process whose messages on the bus are lost', () => {
  it('still delivers messages, lists, notes and notifications to the others, each once', async () => {
    const talk = await openTalk();
    const { socket, id, welcome } = talk;
    // The same visitor's other page, on the first process.
    const { socket: other } = await TestSocket.visitor(a.url, site.publicKey, {
      token: welcome.token,
      key: welcome.visitor.key,
    });
    await other.subscribe(id);
    agent.frames.length = 0;
    const texts = ['one', 'two', 'three'];
    for (const text of texts) await say(socket, id, text);
    await agent.next('message', ({ message }) => message.text === 'three');
    await other.next('message', ({ message }) => message.text === 'three');
    await listed(talk, 'three');
    await agent.next('notified', ({ notification }) => notification.session_id === id);
    await say(socket, id, 'four');
    await agent.next('message', ({ message }) => message.text === 'four');
    const told = seqsOf(agent, id);
    expect(told).toEqual(told.map((_, index) => index + Number(told[0])));
    expect(seqsOf(other, id)).toEqual(seqsOf(other, id).map((_, index) => index + 1));
    await until(async () => rings(talk).length === 4);
    await say(socket, id, 'five');
    await agent.next(
      'notified',
      ({ notification }) => notification.session_id === id && notification.count === 5,
    );
    expect(rings(talk)).toHaveLength(5);
    socket.cut();
    other.cut();
  });

  it('delivers tickets and settings to them', async () => {
    const operator = b.contextFor(site.site, { kind: 'operator' });
    const made = await rest(bUrl, 'POST', '/v1/tickets', site.write, {
      subject: 'Lamp',
      body: 'It flickers.',
      requester: { email: 'eve@example.com' },
    });
    expect(made.status).toBe(201);
    await agent.next('tickets_changed', ({ tickets }) => tickets.some(({ id }) => id === made.body.data.id));
    const { id, token } = await createToken(operator, { name: 'brief', scopes: 'read' });
    expect((await rest(a.url, 'GET', '/v1/tags', token)).status).toBe(200);
    const cookie = await a.signIn(site.admin.email);
    const revoked = await fetch(`${bUrl}/app/api/api_tokens.revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: bUrl },
      body: JSON.stringify({ id }),
    });
    expect(revoked.status).toBe(200);
    await until(async () => (await rest(a.url, 'GET', '/v1/tags', token)).status === 401);
    await makeAgent(operator, {
      email: `${randomUUID()}@example.com`,
      name: 'Ben',
      role: 'agent',
    });
    await agent.next('team_changed');
  });

  it('delivers a change of a long transaction to them, even if later ones have committed before', async () => {
    const operator = b.contextFor(site.site, { kind: 'operator' });
    const ticket = (subject: string) => ({
      subject,
      body: 'It flickers.',
      requester: { email: `${randomUUID()}@example.com` },
    });
    let late = 0;
    await operator.transaction(async (tx) => {
      late = (await createTicket(tx, ticket('Late'))).id;
      for (let round = 0; round < 3; round++) {
        const { id } = await createTicket(operator, ticket(`Meanwhile ${round}`));
        await agent.next('tickets_changed', ({ tickets }) => tickets.some((one) => one.id === id));
      }
    });
    await agent.next('tickets_changed', ({ tickets }) => tickets.some(({ id }) => id === late));
  });

  it('makes a desk sound once if its messages arrive after all', async () => {
    const talk = await openTalk();
    await busOfB('refused');
    agent.frames.length = 0;
    await say(talk.socket, talk.id, 'one');
    await agent.next('message', ({ message }) => message.text === 'one');
    await agent.next('notified', ({ notification }) => notification.session_id === talk.id);
    await busOfB('sent');
    // Held messages are delivered in order, before later ones.
    talk.socket.send({ type: 'typing', session_id: talk.id, typing: true });
    await agent.next('typing');
    expect(rings(talk)).toHaveLength(1);
    expect(agent.messagesOf(talk.id).filter(({ text }) => text === 'one')).toHaveLength(1);
    talk.socket.cut();
  });

  it('does not keep them from understanding it when it is of a later version', async () => {
    const talk = await openTalk();
    agent.frames.length = 0;
    await sql`
      insert into notice_outbox (site_id, node, n, everyone, notices) values
        (${site.site.id}, 'later', 1, true, '[{"kind": "of tomorrow"}, {"kind": "lists"}]'),
        (${site.site.id}, 'later', 2, true, '{"another": "form"}')`.execute(a.app.database.db);
    await agent.next('lists_stale');
    await say(talk.socket, talk.id, 'still here');
    await agent.next('message', ({ message }) => message.text === 'still here');
    talk.socket.cut();
  });
});

describe('a process that is killed with its last answer', () => {
  let killed: Installation;
  beforeAll(async () => {
    killed = await makeInstallation({ DATABASE_URL: bDatabaseUrl, FOYER_SECRET: TEST_SECRET });
    await killed.start();
  });
  afterAll(() => killed.remove());

  it('loses nothing that it has acknowledged', async () => {
    const talks = await Promise.all(Array.from({ length: 5 }, () => openTalk(killed.url)));
    const texts = talks.map(({ id }) => `last words of ${id}`);
    await Promise.all(talks.map(({ socket, id }, index) => say(socket, id, texts[index] ?? '')));
    await killed.end('SIGKILL');
    for (const [index, talk] of talks.entries()) {
      await agent.next('message', ({ message }) => message.text === texts[index]);
      await listed(talk, texts[index] ?? '');
    }
  });
});

describe('a cut bus', () => {
  it('loses nothing and doubles nothing', async () => {
    await busOfB('sent');
    const talk = await openTalk();
    const cut = () =>
      onServer(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'foyer bus'`);
    agent.frames.length = 0;
    const sent = Array.from({ length: 30 }, (_, index) => `word ${index}`);
    for (const [index, text] of sent.entries()) {
      if (index % 10 === 5) await cut();
      await say(talk.socket, talk.id, text);
    }
    await agent.next('message', ({ message }) => message.text === sent.at(-1));
    await listed(talk, sent.at(-1) ?? '');
    const received = agent.messagesOf(talk.id).map(({ text }) => text);
    expect(received.filter((text) => text.startsWith('word'))).toEqual(sent);
    talk.socket.cut();
  });
});

describe('an outbox that the database has lost in a crash', () => {
  it('makes everybody reload what they show', async () => {
    const client = new pg.Client({ connectionString: a.databaseUrl });
    await client.connect();
    agent.frames.length = 0;
    await client.query('truncate notice_outbox, notice_outbox_epochs');
    await agent.next('tickets_stale');
    await until(async () => (await client.query('select from notice_outbox_epochs')).rowCount === 1);
    await client.end();
    const talk = await openTalk();
    await say(talk.socket, talk.id, 'and on');
    await agent.next('message', ({ message }) => message.text === 'and on');
    talk.socket.cut();
  });
});
