import { randomUUID } from 'node:crypto';
import { DRAFT_KEEP_DAYS, DRAFTS_MAX, type OutputOf, TICKET_TEXT_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Answer, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { makeRecord } from '../../test/examples.ts';
import { findDue } from '../../test/find-due.ts';
import { TestSocket } from '../../test/sockets.ts';
import { eraseVisitor } from '../erasure/erase-visitor.ts';
import { draftClock } from './drafts.ts';

type Saved = OutputOf<'drafts.save'>;

let app: TestApp;
let site: TestSite;
let ada: string;
let ben: string;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' });
  [ada, ben] = await Promise.all([app.signIn(site.admin.email), app.signIn(email)]);
});
afterAll(() => app.close());

const save = async (cookie: string, input: object): Promise<Saved> => {
  const answer = await app.desk(cookie, 'drafts.save', { kind: 'reply', base_version: null, ...input });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};
const read = (cookie: string, input: object): Promise<Answer> => app.desk(cookie, 'drafts.get', input);
const textsOf = async (cookie: string, input: object): Promise<Record<string, string>> => {
  const { body } = await read(cookie, input);
  const drafts: OutputOf<'drafts.get'>['drafts'] = body.data.drafts;
  return Object.fromEntries(drafts.map(({ kind, text }) => [kind, text]));
};

test('a draft is kept for each chat and ticket, separately for reply and note, for its agent alone', async () => {
  const session_id = await makeRecord.session(app, site);
  const ticket_id = await makeRecord.ticket(app, site);
  await save(ada, { session_id, text: 'Good day' });
  await save(ada, { session_id, kind: 'note', text: 'A regular' });
  await save(ada, { ticket_id, text: 'Dear Priya' });
  await save(ben, { session_id, text: 'Hi' });
  expect(await textsOf(ada, { session_id })).toEqual({ reply: 'Good day', note: 'A regular' });
  expect(await textsOf(ada, { ticket_id })).toEqual({ reply: 'Dear Priya' });
  expect(await textsOf(ben, { session_id })).toEqual({ reply: 'Hi' });
  expect(await textsOf(ben, { ticket_id })).toEqual({});
  const { body } = await app.desk(ada, 'drafts.list');
  expect(body.data).toEqual([
    { session_id: null, ticket_id, kind: 'reply' },
    { session_id, ticket_id: null, kind: 'note' },
    { session_id, ticket_id: null, kind: 'reply' },
  ]);
});

test('saving a text written on an older draft doesn’t replace a newer one, and returns that one', async () => {
  const session_id = await makeRecord.session(app, site);
  const first = await save(ada, { session_id, text: 'One' });
  const base_version = first.draft?.version ?? null;
  const both = await Promise.all([
    save(ada, { session_id, text: 'From the desk', base_version }),
    save(ada, { session_id, text: 'From the phone', base_version }),
  ]);
  expect(both.map(({ saved }) => saved).sort()).toEqual([false, true]);
  const [kept, refused] = both[0].saved ? both : [both[1], both[0]];
  expect(refused.draft).toEqual(kept.draft);
  expect(await textsOf(ada, { session_id })).toEqual({ reply: kept.draft?.text });
  expect(await save(ada, { session_id, text: '', base_version })).toMatchObject({ saved: false });
  expect(await save(ada, { session_id, text: 'Anew' }), 'unseen').toMatchObject({ saved: false });
});

test('saving the same text again is no conflict, and an emptied draft is gone', async () => {
  const session_id = await makeRecord.session(app, site);
  const first = await save(ada, { session_id, text: 'One' });
  expect(await save(ada, { session_id, text: 'One' })).toEqual(first);
  const base_version = first.draft?.version ?? null;
  expect(await save(ada, { session_id, text: '  ', base_version })).toEqual({ saved: true, draft: null });
  expect(await save(ada, { session_id, text: '', base_version })).toEqual({ saved: true, draft: null });
  expect(await textsOf(ada, { session_id })).toEqual({});
  const again = await save(ada, { session_id, text: 'Two', base_version });
  expect(again).toMatchObject({ saved: true, draft: { text: 'Two' } });
});

test('the agent’s other browsers are notified, and nobody else', async () => {
  const session_id = await makeRecord.session(app, site);
  const [mine, other] = await Promise.all([TestSocket.agent(app.url, ada), TestSocket.agent(app.url, ben)]);
  const { draft } = await save(ada, { session_id, text: 'One' });
  await mine.next('draft_changed', ({ version }) => version === draft?.version);
  await save(ada, { session_id, text: '', base_version: draft?.version });
  await mine.next('draft_changed', (frame) => frame.session_id === session_id && frame.version === null);
  // A later frame shows that it would have arrived.
  await save(ben, { session_id, text: 'Hi' });
  await other.next('draft_changed');
  expect(other.frames.filter(({ type }) => type === 'draft_changed')).toHaveLength(1);
  mine.cut();
  other.cut();
});

test('a draft for another site’s conversation, for none, or for two at once is refused', async () => {
  const elsewhere = await app.makeSite();
  const [session_id, ticket_id] = await Promise.all([
    makeRecord.session(app, elsewhere),
    makeRecord.ticket(app, elsewhere),
  ]);
  for (const input of [{ session_id }, { ticket_id }]) {
    expect((await read(ada, input)).status).toBe(404);
    const saving = { ...input, kind: 'reply', text: 'Hi', base_version: null };
    expect((await app.desk(ada, 'drafts.save', saving)).status).toBe(404);
  }
  for (const input of [{}, { session_id, ticket_id }]) expect((await read(ada, input)).status).toBe(400);
  const long = { session_id, kind: 'reply', text: 'x'.repeat(TICKET_TEXT_MAX + 1), base_version: null };
  expect((await app.desk(ada, 'drafts.save', long)).status).toBe(400);
});

test('a draft is erased with its visitor', async () => {
  const ticket_id = await makeRecord.ticket(app, site);
  const session_id = await makeRecord.session(app, site);
  await save(ada, { ticket_id, text: 'Dear Priya' });
  await save(ada, { session_id, text: 'Dear Priya' });
  const { body } = await app.desk(ada, 'sessions.get', { session_id });
  await eraseVisitor(site.operator, body.data.visitor.key);
  await eraseVisitor(site.operator, 'user_1');
  expect(await textsOf(ada, { session_id })).toEqual({});
  expect(await textsOf(ada, { ticket_id })).toEqual({});
});

test('drafts are limited in number and in age', async () => {
  const { db } = app.app.database;
  const ticket_id = await makeRecord.ticket(app, site);
  await sql`
    insert into tickets (site_id, subject, description, requester_id)
    select site_id, 'Many', 'x', requester_id from tickets, generate_series(1, ${DRAFTS_MAX})
    where id = ${ticket_id}`.execute(db);
  await sql`delete from drafts`.execute(db);
  await sql`
    insert into drafts (site_id, agent_id, ticket_id, kind, text, updated_at)
    select site_id, ${site.admin.agentId}, id, 'note', 'x', now() from tickets where subject = 'Many'`.execute(
    db,
  );
  await save(ada, { ticket_id, text: 'One more' });
  // Counted in the table: a page of the list is no longer than the limit itself.
  const count = async (): Promise<number> =>
    (await db.selectFrom('drafts').select('version').execute()).length;
  expect(await count()).toBe(DRAFTS_MAX);
  const { body } = await app.desk(ada, 'drafts.list', { limit: 200 });
  expect(body.data[0]).toMatchObject({ ticket_id });
  const after = new Date(Date.now() + (DRAFT_KEEP_DAYS * 24 + 1) * 3_600_000);
  const later = { ...site.operator, now: () => after, db, site: site.site };
  expect(await findDue(draftClock, db, new Date(), 10)).toEqual([]);
  const [due] = await findDue(draftClock, db, after, 10);
  expect(due?.siteId).toBe(site.site.id);
  await draftClock.run(later, due?.id ?? 0);
  expect(await count()).toBe(0);
});
