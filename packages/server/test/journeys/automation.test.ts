import { randomUUID } from 'node:crypto';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { type Desk, openMcpDesk, openRestDesk } from '../desks.ts';
import { until } from '../harness.ts';
import { answerWith, type ReceivedRequest, type Receiver, startReceiver } from '../receiver.ts';
import { openChat } from '../stand.ts';

// The typical automation after a handoff (docs/contract/interface.md), without a dashboard: one script, once over REST
// with the typed client and once over MCP with the official client, with the same result.

const EVENTS = ['handoff', 'ticket_created', 'ticket_replied', 'ticket_updated', 'feedback'];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Stage {
  site: TestSite;
  receiver: Receiver;
  secret: string;
  macroId: number;
}

const open: Receiver[] = [];
afterEach(() => Promise.all(open.splice(0).map((receiver) => receiver.close())));

const made = async (site: TestSite, resource: string, body: object): Promise<Json> => {
  const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
};

/** What a team sets up once. */
async function setStage(): Promise<Stage> {
  const [site, receiver] = await Promise.all([app.makeSite(), startReceiver(answerWith(200))]);
  open.push(receiver);
  const { secret } = await made(site, 'webhook_subscriptions', { url: receiver.url, events: EVENTS });
  const macro = await made(site, 'macros', {
    name: 'Damaged in transit',
    actions: [
      { type: 'note', body: 'Photos of {{ticket.subject}} asked for.' },
      { type: 'set_priority', priority: 'high' },
      { type: 'add_tags', tags: ['damage'] },
    ],
  });
  return { site, receiver, secret, macroId: macro.id };
}

/** The first delivery of an event that a receiver gets, once it has arrived. */
async function heard({ requests }: Receiver, event: string): Promise<ReceivedRequest> {
  const find = () => requests.find(({ headers }) => headers['x-service-event'] === event);
  await until(async () => find() !== undefined);
  const found = find();
  if (!found) throw new Error('unreachable');
  return found;
}

/** A visitor whom the bot can't help: requests a person and leaves. */
async function visit({ site }: Stage) {
  const { socket, id, welcome } = await openChat(
    { url: app.url, publicKey: site.publicKey },
    'My lamp came broken.',
  );
  await socket.call('chat.request_person', { session_id: id, client_id: randomUUID() });
  return {
    id,
    key: welcome.visitor.key,
    async rate() {
      await socket.call('chat.end', { session_id: id });
      await socket.call('chat.rate', { session_id: id, rating: 4, comment: 'Quick.' });
      socket.cut();
    },
  };
}

/** The script: it knows the event and the desk, but not whether it uses REST or MCP. */
async function followUp(desk: Desk, event: Json, macroId: number) {
  const since = event.created_utc;
  const handoff = (await desk.handoffs(since)).find(({ session_id }) => session_id === event.session_id);
  if (!handoff) throw new Error('the log does not have the handoff yet');
  const { messages, visitor } = await desk.transcript(handoff.session_id);
  const said = messages.filter(({ sender }) => sender === 'visitor').map(({ text }) => text);
  const ticket = await desk.makeTicket({
    subject: 'A broken lamp',
    body: said.join('\n'),
    requester: { key: visitor.key, name: 'Mia' },
    session_id: handoff.session_id,
  });
  const reply = await desk.reply({
    ticket_id: ticket.id,
    type: 'public',
    body: 'We are sorry. A new lamp is on its way.',
    status: 'pending',
  });
  const snoozed = await desk.snooze(ticket.id, 60);
  const tagged = await desk.change({ ids: [ticket.id], action: 'add_tags', tags: ['follow-up'] });
  const applied = await desk.change({ ids: [ticket.id], action: 'apply_macro', macro_id: macroId });
  const tracked = await desk.track({
    key: visitor.key ?? '',
    name: 'follow_up_made',
    properties: { priority: 'high' },
  });
  return { handoff, said, ticket, reply, snoozed, tagged, applied, tracked };
}

/** The final state, read over REST, without values that differ between runs. */
async function endState({ site, receiver }: Stage, ticketId: number, key: string, sessionId: string) {
  const read = async (path: string): Promise<Json> => (await app.rest(site.read, 'GET', path)).body.data;
  const { replies, ...ticket } = await read(`/v1/tickets?id=${ticketId}`);
  const [handoff] = await read('/v1/handoffs');
  const visitor = await read(`/v1/visitors?key=${encodeURIComponent(key)}`);
  for (const event of EVENTS) await heard(receiver, event);
  return {
    subject: ticket.subject,
    description: ticket.description,
    status: ticket.status,
    priority: ticket.priority,
    tags: ticket.tags.toSorted(),
    requester: ticket.requester.name,
    isOfChat: ticket.session_id === sessionId && handoff.ticket_id === ticketId,
    isSnoozed: ticket.snoozed_until_utc !== null,
    listed: (await read('/v1/tickets')).length,
    replies: replies.map(({ type, body, author }: Json) => [type, body, author.type]),
    events: visitor.recent_events.map(({ name, properties }: Json) => [name, properties]),
    heard: [...new Set(receiver.requests.map(({ headers }) => headers['x-service-event']))].toSorted(),
  };
}

describe.each([
  ['REST, with the typed client', openRestDesk],
  ['MCP, with the official client', openMcpDesk],
])('an automation after a handoff over %s', (_door, openDesk) => {
  it('gets the event, creates a ticket, replies, and sees the outcome', async () => {
    const stage = await setStage();
    const visitor = await visit(stage);
    const { body, headers } = await heard(stage.receiver, 'handoff');
    expect(await verify(stage.secret, body, headers['x-service-signature'] ?? '')).toBe(true);

    const desk = await openDesk(app.url, stage.site.write);
    const event = JSON.parse(body);
    const done = await followUp(desk, event, stage.macroId);
    expect(done.handoff).toMatchObject({ handoff_reason: event.handoff_reason, summary: event.summary });
    expect(done.said).toEqual(['My lamp came broken.']);
    expect(done.snoozed.status).toBe('pending');
    expect([done.tagged.succeeded, done.applied.succeeded]).toEqual([[done.ticket.id], [done.ticket.id]]);
    expect(done.tracked).toMatchObject({ key: visitor.key, name: 'follow_up_made' });

    await visitor.rate();
    await heard(stage.receiver, 'feedback');
    expect(await desk.feedback(event.created_utc)).toMatchObject([
      { session_id: visitor.id, rating: 4, comment: 'Quick.' },
    ]);
    await desk.close();

    expect(await endState(stage, done.ticket.id, visitor.key, visitor.id)).toEqual({
      subject: 'A broken lamp',
      description: 'My lamp came broken.',
      status: 'pending',
      priority: 'high',
      tags: ['damage', 'follow-up'],
      requester: 'Mia',
      isOfChat: true,
      isSnoozed: true,
      listed: 0,
      replies: [
        ['public', 'We are sorry. A new lamp is on its way.', 'token'],
        ['note', 'Photos of A broken lamp asked for.', 'token'],
      ],
      events: [['follow_up_made', { priority: 'high' }]],
      heard: EVENTS.toSorted(),
    });
  });
});
