import { randomUUID } from 'node:crypto';
import type { Message } from '@foyer/protocol';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { makeAgent } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { until } from '../harness.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';

let app: TestApp;
let site: TestSite;
let receiver: Receiver;
let secret: string;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  await importSampleKnowledge(site.operator);
  receiver = await startReceiver();
  const made = await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
    url: receiver.url,
    events: ['handoff', 'feedback', 'conversation_started', 'conversation_closed'],
  });
  secret = made.body.data.secret;
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

/** A visitor; `ask` sends a question and waits for the reply. */
async function openChat() {
  const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey);
  let id: string | null = null;
  const ask = async (text: string): Promise<Message> => {
    const sent = (await socket.call('chat.send', { session_id: id, client_id: randomUUID(), text })) as {
      session: { session_id: string } | null;
      message: { seq: number };
    };
    if (sent.session) {
      id = sent.session.session_id;
      await socket.subscribe(id);
    }
    const { seq } = sent.message;
    return (await socket.next('message', ({ message }) => message.sender !== 'visitor' && message.seq > seq))
      .message;
  };
  return { socket, welcome, ask, id: () => id ?? '' };
}

const eventsOf = (name: string, sessionId: string) =>
  receiver.requests
    .map((request) => ({ request, body: JSON.parse(request.body) }))
    .filter(({ body }) => body.event === name && body.session_id === sessionId);

describe('the bot', () => {
  it('answers from published articles and names its source', async () => {
    const { ask } = await openChat();
    const answer = await ask('How many days do I have to return something?');
    expect(answer.sender).toBe('bot');
    expect(answer.sources[0]?.title).toMatch(/return/i);
    expect(answer.text).toMatch(/30/);
  });

  it('says that it doesn’t know, and hands over automatically the second time', async () => {
    const { ask, socket, id } = await openChat();
    const first = await ask('Who was Napoleon?');
    expect(first).toMatchObject({ sender: 'bot', sources: [] });
    expect(first.text).toMatch(/don’t know/);
    expect(eventsOf('handoff', id())).toEqual([]);
    const second = await ask('Is Pluto a planet?');
    expect(second.text).toMatch(/asking a person/);
    await socket.next('message', ({ message }) => message.event === 'handed_off');
    await until(async () => eventsOf('handoff', id()).length > 0);
    expect(eventsOf('handoff', id())[0]?.body).toMatchObject({
      handoff_reason: 'no_answer',
      visitor: { name: null, email: null },
    });
    const usage = await app.rest(site.read, 'GET', '/v1/usage');
    expect(usage.body.data.ai_replies).toBeGreaterThanOrEqual(2);
  });

  it('stops answering from an article that is no longer published', async () => {
    const title = 'Gift engraving for lighthouses';
    const made = await app.rest(site.write, 'POST', '/v1/articles', {
      title,
      status: 'Published',
      body: 'Engraving a lighthouse costs 12 euros and takes nine days.',
    });
    const before = await (await openChat()).ask('What does engraving a lighthouse cost?');
    expect(before.sources[0]?.title).toBe(title);
    await app.rest(site.write, 'PATCH', `/v1/articles?id=${made.body.data.id}`, { status: 'Archived' });
    const after = await (await openChat()).ask('What does engraving a lighthouse cost?');
    expect(after.sources.map((source) => source.title)).not.toContain(title);
  });

  it('never writes once a person has joined', async () => {
    const agent = await TestSocket.agent(app.url, await app.signIn(site.admin.email));
    const { ask, socket, id } = await openChat();
    await ask('Hello!');
    await agent.call('sessions.accept', { session_id: id() });
    await socket.call('chat.send', {
      session_id: id(),
      client_id: randomUUID(),
      text: 'How long does delivery take?',
    });
    await agent.call('sessions.reply', { session_id: id(), client_id: randomUUID(), text: 'Two days.' });
    await socket.next('message', ({ message }) => message.text === 'Two days.');
    const transcript = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id()}`);
    const senders = transcript.body.data.messages.map((message: Message) => message.sender);
    expect(senders.slice(senders.indexOf('system'))).toEqual(['system', 'visitor', 'agent']);
  });
});

describe('a chat that is handed off', () => {
  it('is accepted, answered, closed and rated, and every entry point shows the same', async () => {
    const cookie = await app.signIn(site.admin.email);
    const agent = await TestSocket.agent(app.url, cookie);
    const { ask, socket, id } = await openChat();
    await ask('How can I track my order?');
    await ask('I want to talk to a real person please');
    await agent.next(
      'session_changed',
      ({ session }) => session.session_id === id() && session.status === 'waiting',
    );

    await until(async () => eventsOf('handoff', id()).length > 0);
    const [handoff] = eventsOf('handoff', id());
    expect(handoff?.body).toMatchObject({
      event: 'handoff',
      site_id: site.site.id,
      handoff_reason: 'visitor_request',
    });
    expect(handoff?.body.summary.length).toBeGreaterThan(20);
    const signature = String(handoff?.request.headers['x-service-signature']);
    expect(await verify(secret, handoff?.request.body ?? '', signature)).toBe(true);
    expect(await verify('another secret', handoff?.request.body ?? '', signature)).toBe(false);

    await agent.subscribe(id());
    const accepted = (await agent.call('sessions.accept', { session_id: id() })) as { status: string };
    expect(accepted.status).toBe('active');
    await socket.next(
      'session',
      ({ session }) => session.session_id === id() && session.agent?.name === 'Ada',
    );
    agent.send({ type: 'typing', session_id: id(), typing: true });
    expect(await socket.next('typing')).toMatchObject({ from: 'agent', name: 'Ada', typing: true });
    await agent.call('sessions.note', {
      session_id: id(),
      client_id: randomUUID(),
      text: 'A secret between us',
    });
    await agent.next('note');
    await agent.call('sessions.reply', { session_id: id(), client_id: randomUUID(), text: 'Hi, I am Ada.' });
    await socket.next(
      'message',
      ({ message }) => message.text === 'Hi, I am Ada.' && message.author?.name === 'Ada',
    );
    await agent.call('sessions.close', { session_id: id() });
    await socket.next('session', ({ session }) => session.status === 'closed');
    await socket.call('chat.rate', { session_id: id(), rating: 4, comment: 'Quick' });
    await expect(socket.call('chat.rate', { session_id: id(), rating: 5 })).rejects.toMatchObject({
      code: 'conflict',
    });

    await until(
      async () => eventsOf('feedback', id()).length > 0 && eventsOf('conversation_closed', id()).length > 0,
    );
    expect(eventsOf('feedback', id())).toHaveLength(1);
    expect(eventsOf('feedback', id())[0]?.body).toMatchObject({ rating: 4, comment: 'Quick' });
    const [handoffs, feedback, transcript] = await Promise.all([
      app.rest(site.read, 'GET', '/v1/handoffs'),
      app.rest(site.read, 'GET', '/v1/feedback'),
      app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id()}`),
    ]);
    expect(handoffs.body.data.find((one: { session_id: string }) => one.session_id === id())).toMatchObject({
      handoff_reason: 'visitor_request',
      summary: handoff?.body.summary,
      agent: { name: 'Ada' },
      accepted_utc: expect.any(String),
    });
    expect(feedback.body.data[0]).toMatchObject({
      session_id: id(),
      rating: 4,
      comment: 'Quick',
      agent: { name: 'Ada' },
    });
    expect(transcript.body.data.status).toBe('closed');
    expect(JSON.stringify(transcript.body)).not.toContain('A secret between us');
    expect(JSON.stringify(socket.frames)).not.toContain('A secret between us');
  });

  it('is assigned to one of two agents who click at once, and the other sees who has it', async () => {
    const email = `second-${randomUUID()}@example.com`;
    await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' });
    const agents = await Promise.all(
      [app.signIn(site.admin.email), app.signIn(email)].map(async (cookie) =>
        TestSocket.agent(app.url, await cookie),
      ),
    );
    const { socket, ask, id } = await openChat();
    await ask('Hello!');
    await socket.call('chat.request_person', { session_id: id(), client_id: randomUUID() });
    const results = await Promise.allSettled(
      agents.map((agent) => agent.call('sessions.accept', { session_id: id() })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = results.find((result) => result.status === 'rejected');
    expect(refusal?.status === 'rejected' && refusal.reason).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/(Ada|Ben) has this chat/),
    });
  });

  it('waits for an agent again when its agent is removed', async () => {
    const email = `leaver-${randomUUID()}@example.com`;
    const leaver = await makeAgent(site.operator, { email, name: 'Cleo', role: 'agent' });
    const agent = await TestSocket.agent(app.url, await app.signIn(email));
    const { ask, socket, id } = await openChat();
    await ask('Hello!');
    await agent.call('sessions.accept', { session_id: id() });
    const removed = await app.desk(await app.signIn(site.admin.email), 'agents.remove', { id: leaver.id });
    expect(removed.status).toBe(200);
    await socket.next('session', ({ session }) => session.status === 'waiting' && session.agent === null);
    expect((await agent.whenClosed()).code).toBe(4001);
  });

  it('becomes one ticket if nobody is online and the visitor leaves an address', async () => {
    const { ask, socket, id } = await openChat();
    await ask('Hello!');
    await socket.call('chat.request_person', { session_id: id(), client_id: randomUUID() });
    const leave = () =>
      socket.call('chat.leave_email', { session_id: id(), email: 'vi@example.com', name: 'Vi' });
    const [first] = await Promise.all([leave(), leave()]);
    expect(first).toMatchObject({ contact_email: 'vi@example.com', status: 'waiting' });
    const tickets = await app.app.database.db
      .selectFrom('tickets')
      .selectAll()
      .where('requester_email', '=', 'vi@example.com')
      .execute();
    expect(tickets).toHaveLength(1);
    expect(tickets[0]?.description).toContain('Hello!');
    const handoffs = await app.rest(site.read, 'GET', '/v1/handoffs');
    expect(handoffs.body.data[0]).toMatchObject({ session_id: id(), ticket_id: tickets[0]?.id });
  });
});
