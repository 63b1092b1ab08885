import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, PASSWORD, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { makeRecord } from '../../test/examples.ts';
import { addAgent } from '../sites/agents.ts';

let app: TestApp;
let site: TestSite;
let ada: string;
let ben: string;
let benId: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  const email = `ben-${randomUUID()}@example.com`;
  benId = (await addAgent(site.operator, { email, name: 'Ben', password: PASSWORD, role: 'agent' })).id;
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email)]);
});
afterAll(() => app.close());

const note = async (session_id: unknown, text: string, mentions: object[]): Promise<Answer> =>
  app.desk(ada, 'sessions.note', { session_id, client_id: randomUUID(), text, mentions });
const told = async (): Promise<unknown[]> =>
  (await app.desk(ben, 'notifications.list')).body.data.notifications;

test('who is named in a note is told of it once, and stands beside its text', async () => {
  const session_id = await makeRecord.session(app, site);
  const ticket_id = await makeRecord.ticket(app, site);
  const mentions = [{ id: benId, name: 'Ben' }];
  const input = { session_id, client_id: randomUUID(), text: 'Ask @Ben', mentions };
  await app.desk(ada, 'sessions.note', input);
  const again = await app.desk(ada, 'sessions.note', input);
  expect(again.body.data).toMatchObject({ mentions });
  const reply = { ticket_id, client_id: randomUUID(), type: 'note', text: '@Ben, please', mentions };
  const made = await app.desk(ada, 'tickets.reply', reply);
  const named = await app.desk(ada, 'tickets.mentions', { id: ticket_id });
  expect(named.body.data).toEqual({ mentions: [{ reply_id: made.body.data.id, id: benId, name: 'Ben' }] });
  expect(await told()).toMatchObject([
    { kind: 'mention', ticket_id, by: { name: 'Ada' }, count: 1 },
    { kind: 'mention', session_id, by: { name: 'Ada' }, count: 1 },
  ]);
});

test('nobody is named who is not of the team now, or not in the text, and nothing is stored then', async () => {
  const session_id = await makeRecord.session(app, site);
  const elsewhere = await app.makeSite();
  const gone = await makeRecord.agent(app, site);
  await app.desk(ada, 'agents.remove', { id: gone });
  const cleo = (id: unknown) => [{ id, name: 'Cleo' }];
  expect((await note(session_id, '@Cleo', cleo(elsewhere.admin.agentId))).status).toBe(404);
  expect((await note(session_id, '@Cleo', cleo(gone))).status).toBe(404);
  expect((await note(session_id, 'Cleo', [{ id: benId, name: 'Ben' }])).status).toBe(400);
  const twice = [...cleo(benId), ...cleo(benId)];
  expect((await note(session_id, '@Cleo', twice)).status).toBe(400);
  const ticket_id = await makeRecord.ticket(app, site);
  const said = { ticket_id, client_id: randomUUID(), type: 'public', text: '@Ben', mentions: cleo(benId) };
  expect((await app.desk(ada, 'tickets.reply', said)).status, 'what is for outside names nobody').toBe(400);
  const { body } = await app.desk(ada, 'sessions.get', { session_id });
  expect(body.data.notes).toEqual([]);
});
