import { SUBSCRIBABLE_EVENTS, WEBHOOK_EVENTS, webhookEvents } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { makeAgent } from './accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from './app.ts';
import { blocksOf, readPage, sectionOf } from './doc-pages.ts';
import { mayasChat } from './doc-story.ts';
import { until } from './harness.ts';
import { type Receiver, startReceiver } from './receiver.ts';

// Compares each event in docs/webhooks.md with what is really sent when it happens.

let app: TestApp;
let site: TestSite;
let receiver: Receiver;
const sent = new Map<string, Json>();

const post = async (resource: string, body: object): Promise<Json> => {
  const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
  if (answer.status > 201) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

/** Does everything that can be done with a chat over REST, each once. */
async function changeChat(): Promise<void> {
  const cookie = await app.signIn(site.admin.email);
  await app.desk(cookie, 'bot.update', { own: true });
  const page_url = 'https://shop.example/lamps/aurora';
  const { session_id } = await post('conversations', { key: 'user_42', text: 'Hello', page_url });
  const turns = '/v1/webhook_deliveries?event=bot_turn_requested';
  await until(async () => (await app.rest(site.read, 'GET', turns)).body.data.length === 1);
  const ben = await makeAgent(site.operator, { email: 'ben@example.com', name: 'Ben', role: 'agent' });
  const change = (body: object) =>
    app.rest(site.write, 'PATCH', `/v1/conversations?session_id=${session_id}`, body);
  const agent_id = site.admin.agentId;
  await change({ assignee_id: agent_id, tags: ['returns'], agent_id });
  await post('fields', { applies_to: 'chats', name: 'Topic', kind: 'text' });
  await change({ fields: { topic: 'Return' } });
  await change({ fields: { topic: 'Refund' }, agent_id });
  await change({ assignee_id: ben.id, agent_id });
  const { id: team_id } = await post('teams', { name: 'Billing', emoji: '💳' });
  await change({ team_id, agent_id });
  await post('conversation_notes', { session_id, text: 'Has called', agent_id });
  await post('conversation_snooze', { session_id, minutes: 60 });
  await change({ status: 'bot', agent_id: ben.id });
  await change({ status: 'closed', agent_id });
  await change({ status: 'waiting', agent_id });
}

/** One ticket that is nearly due, and one that is late. */
async function makeLate(): Promise<void> {
  const targets = { first_response: { high: 60, urgent: 50 } };
  await post('sla_policies', { name: 'Standard', targets, hours: 'always', warn_minutes: 20 });
  const { db, close } = openDatabase(app.databaseUrl);
  for (const priority of ['high', 'urgent']) {
    const requester = { key: 'user_42' };
    const { id } = await post('tickets', { subject: 'Broken', body: 'It is.', requester });
    await sql`update tickets set created_at = created_at - interval '55 min' where id = ${id}`.execute(db);
    await app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, { priority });
  }
  await close();
}

beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestApp(), startReceiver()]);
  site = await app.makeSite();
  const { id } = await post('webhook_subscriptions', { url: receiver.url, events: SUBSCRIBABLE_EVENTS });
  const rule = { all: [{ attribute: 'plan', op: 'eq', value: 'gold' }] };
  await post('segments', { name: 'Gold', rule });
  await mayasChat({ app, site, receiver: receiver.url, post });
  await post('visitors', { key: 'user_42', plan: 'gold' });
  await post('visitors', { key: 'user_42', plan: 'pro' });
  const requester = { key: 'user_42' };
  const ticket = await post('tickets', { subject: 'Invoice', body: 'I can’t find it.', requester });
  await post('ticket_reply', { ticket_id: ticket.id, type: 'public', body: 'Here it is.' });
  await post('redactions', { ticket_id: ticket.id, text: 'find' });
  const actions = [{ type: 'call_webhook', webhook_id: id }];
  const macro = await post('macros', { name: 'Tell the warehouse', actions });
  await post('tickets_bulk', { ids: [ticket.id], action: 'apply_macro', macro_id: macro.id });
  await makeLate();
  await post('spam', { ticket_id: ticket.id, spam: true });
  await changeChat();
  await app.desk(await app.signIn(site.admin.email), 'webhook_subscriptions.test', { id });
  for (let count = 1; sent.size < WEBHOOK_EVENTS.length; count += 1) {
    const request = (await receiver.received(count))[count - 1];
    const body = JSON.parse(request?.body ?? '{}');
    if (!sent.has(body.event)) sent.set(body.event, body);
  }
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

/** Names, order and types of all fields; nullable values count as null. */
function shapeOf(value: Json, other: Json): Json {
  if (value === null || other === null) return 'maybe null';
  if (Array.isArray(value)) return value.length && other?.length ? [shapeOf(value[0], other[0])] : 'a list';
  if (typeof value !== 'object') return typeof value;
  return Object.entries(value).map(([field, one]) => [field, shapeOf(one, other?.[field])]);
}

describe('docs/webhooks.md', () => {
  const events = sectionOf(readPage('webhooks.md'), 'Events').text;

  it.each(WEBHOOK_EVENTS)('shows %s as it is sent', (event) => {
    const [, part = ''] = events.split(`\n### ${event}\n`);
    const shown = JSON.parse(blocksOf(part.split('\n### ')[0] ?? '')[0]?.text ?? '{}');
    const real = sent.get(event);
    const { id, event: name, site_id, created_utc, ...fields } = real;
    expect([typeof id, name, typeof site_id, typeof created_utc]).toEqual([
      'string',
      event,
      'number',
      'string',
    ]);
    expect(webhookEvents[event].parse(fields), 'fields that the schema does not know').toEqual(fields);
    // The changes and their author differ in each update.
    for (const body of [shown, real]) if (body.changes) body.changes = {};
    expect(shapeOf(shown, real)).toEqual(shapeOf(real, shown));
  });
});
