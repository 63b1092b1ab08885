import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp } from '../../test/app.ts';
import { mentions, type Rows } from '../../test/database-rows.ts';
import { until } from '../../test/harness.ts';
import { makePersonalWorld, type PersonalWorld } from '../../test/personal-world.ts';
import { TestSocket } from '../../test/sockets.ts';
import { FIELDS_PART } from '../conversations/search/field-words.ts';

let app: TestApp;
let world: PersonalWorld;
beforeAll(async () => {
  app = await startTestApp({ FOYER_ROLE: 'web' });
  world = await makePersonalWorld(app);
});
afterAll(() => app.close());

/** Every table and column in the database that contains a word, in rows of the conversation or anywhere else. */
const placesOf = (rows: Rows, word: string): string[] =>
  [
    ...new Set(
      [...rows].flatMap(([table, all]) =>
        all.flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) =>
            mentions(value, word) ? [`${table}.${column}`] : [],
          ),
        ),
      ),
    ),
  ].sort();

async function redact(input: object): Promise<Json> {
  const { status, body } = await app.desk(world.cookie, 'redactions.create', input);
  expect(body).toMatchObject({ ok: true });
  expect(status).toBe(200);
  return body.data;
}

/** The first message of a chat with a word. */
async function messageWith(sessionId: string, word: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select m.id from messages m join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
    where c.session_id = ${sessionId} and position(${word} in m.text) > 0 order by m.seq limit 1`.execute(
    app.app.database.db,
  );
  return rows[0]?.id ?? 0;
}

test('a text that is redacted in a chat and a ticket is no longer in any column of the database', async () => {
  const { said, sessionId, ticketId } = world.doomed;
  // A ticket of the chat repeats it, and one that is merged with the other ticket too.
  const ofChat = await app.desk(world.cookie, 'tickets.create_from_chat', { session_id: sessionId });
  expect(ofChat.status).toBe(200);
  const twin = await app.rest(world.site.write, 'POST', '/v1/tickets', {
    subject: `Again ${said}`,
    body: `Again: ${said}`,
    requester: { key: world.doomed.key },
  });
  await app.desk(world.cookie, 'tickets.merge', { into_id: ticketId, ids: [twin.body.data.id] });
  // The words of a ticket’s fields and of its texts are in one column.
  await app.rest(world.site.write, 'PATCH', `/v1/tickets?id=${ticketId}`, { fields: { note: null } });
  const before = await world.rows();
  expect(placesOf(before, said).length).toBeGreaterThan(20);

  await redact({ session_id: sessionId, message_id: await messageWith(sessionId, said), text: said });
  await redact({ ticket_id: ticketId, text: said.toUpperCase() });

  const after = await world.rows();
  // The note of a block, the id in another system and fields, which agents change where they are shown, are no part of
  // it, nor is a suspended email.
  expect(placesOf(after, said)).toEqual([
    'blocked_senders.note',
    'conversation_fields.value',
    'message_search_chunks.words',
    'received_mails.detail',
    'received_mails.raw',
    'received_mails.subject',
    'tickets.external_id',
  ]);
  const words = after.get('message_search_chunks')?.filter((row) => mentions(row, said));
  expect(words?.map(({ part }) => part)).toEqual([FIELDS_PART]);
  const suspended = after.get('received_mails')?.filter((row) => mentions(row, said));
  expect(suspended?.map(({ state }) => state)).toEqual(['suspended']);
  // Another conversation with similar words is unchanged.
  expect(placesOf(after, world.bystander.said)).toEqual(placesOf(before, world.bystander.said));
  // The words around it stay, and are found.
  const found = await app.desk(world.cookie, 'inbox.search', { q: 'parcel' });
  expect(JSON.stringify(found.body)).toContain(sessionId);
});

test('the audit log records who redacted what kind and where, but not the text', async () => {
  const { sessionId } = world.bystander;
  const message_id = await messageWith(sessionId, 'Hello, it is');
  await redact({ session_id: sessionId, message_id, text: 'Hello, it is' });
  const { body } = await app.desk(world.cookie, 'audit.list', { subject: 'redaction', limit: 1 });
  expect(body.data[0]).toMatchObject({
    actor: { kind: 'agent', id: world.site.admin.agentId },
    subject_id: message_id,
    label: sessionId,
    action: 'redactions.text',
    changes: {},
  });
  const { rows } = await sql<{ body: Buffer }>`
    select body from webhook_events where event = 'content_redacted' order by created_at desc limit 1`.execute(
    app.app.database.db,
  );
  for (const row of rows) expect(row.body.toString()).not.toContain('Hello');
});

test('open widgets and desks show it at once, and one that was away when it returns', async () => {
  const secret = 'swordfish-42';
  const site = await app.makeSite();
  const cookie = await app.signIn(site.admin.email);
  const agent = await TestSocket.agent(app.url, cookie);
  const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey);
  const { session, message } = (await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text: `The password is ${secret}`,
  })) as Json;
  const { session_id } = session;
  await agent.subscribe(session_id);
  await socket.subscribe(session_id, 1);
  const redactedOf = (one: TestSocket): Json[] =>
    one.frames.filter(
      (frame: Json) => frame.type === 'message' && frame.message.text === 'The password is [redacted]',
    );
  const { status } = await app.rest(site.write, 'POST', '/v1/redactions', {
    session_id,
    message_id: message.id,
    text: secret,
  });
  expect(status).toBe(200);
  await until(async () => redactedOf(agent).length > 0 && redactedOf(socket).length > 0);
  // In the desk's list too, which is updated by another frame.
  await agent.next(
    'session_changed',
    (frame: Json) => frame.session.last_message?.text === 'The password is [redacted]',
  );

  const { socket: back } = await TestSocket.visitor(app.url, site.publicKey, { token: welcome.token });
  await back.subscribe(session_id, 1);
  await until(async () => redactedOf(back).length > 0);
});

test('a file is deleted with its content, and a whole message with its files', async () => {
  const { sessionId, who } = world.bystander;
  const { db } = app.app.database;
  const files = async (): Promise<{ id: number; name: string }[]> =>
    (
      await sql<{ id: number; name: string }>`
        select a.id, a.name from attachments a join conversations c on c.site_id = a.site_id and c.id = a.conversation_id
        where c.session_id = ${sessionId} order by a.position`.execute(db)
    ).rows;
  const message_id = await messageWith(sessionId, 'parcel');
  const [first, second] = await files();
  await sql`update attachments set content = overlay(content placing 'X'::bytea from 1) where id = ${second?.id}`.execute(
    db,
  );
  await redact({ session_id: sessionId, message_id, attachment_id: first?.id });
  expect(await files()).toEqual([second]);
  const { body } = await app.rest(world.site.read, 'GET', `/v1/transcripts?sessionId=${sessionId}`);
  expect(JSON.stringify(body)).toContain('parcel');
  expect(JSON.stringify(body)).not.toContain(`sent ${who}.txt`);
  await redact({ session_id: sessionId, message_id });
  expect(await files()).toEqual([]);
  const { rows } = await sql<{ text: string }>`select text from messages where id = ${message_id}`.execute(
    db,
  );
  expect(rows).toEqual([{ text: '[redacted]' }]);
});

test('a text that isn’t there can’t be redacted, nor one of another message or site', async () => {
  const { sessionId, ticketId, said } = world.bystander;
  const message_id = await messageWith(sessionId, said);
  const status = async (input: object, cookie = world.cookie): Promise<number> =>
    (await app.desk(cookie, 'redactions.create', input)).status;
  expect(await status({ session_id: sessionId, message_id, text: 'never written' })).toBe(400);
  expect(await status({ session_id: sessionId, message_id, text: '**' })).toBe(400);
  expect(await status({ session_id: sessionId, message_id, attachment_id: 1 })).toBe(404);
  expect(await status({ session_id: world.doomed.sessionId, message_id })).toBe(404);
  expect(await status({ ticket_id: ticketId, reply_id: 999_999 })).toBe(404);
  expect(await status({ ticket_id: ticketId, session_id: sessionId, message_id })).toBe(400);
  const other = await app.makeSite();
  const stranger = await app.signIn(other.admin.email);
  expect(await status({ ticket_id: ticketId }, stranger)).toBe(404);
});
