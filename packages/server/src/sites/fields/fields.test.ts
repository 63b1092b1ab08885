import { randomUUID } from 'node:crypto';
import type { AuditEntry, Field, Ticket } from '@foyer/protocol';
import { FIELDS_MAX } from '@foyer/protocol/values/fields/field-names';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { newEmail } from '../../../test/fixtures/sites.ts';
import { TestSocket } from '../../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite('growth');
});

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  app.rest(site.write, method, `/v1/${path}`, body);
async function ok(method: string, path: string, body?: object): Promise<Json> {
  const answer = await call(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
async function refused(status: number, method: string, path: string, body?: object): Promise<Json> {
  const answer = await call(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body.error;
}
const field = (body: object): Promise<Field> =>
  ok('POST', 'fields', { applies_to: 'tickets', kind: 'text', ...body });
const ticket = (body: object = {}): Promise<Ticket> =>
  ok('POST', 'tickets', {
    subject: 'Parcel',
    body: 'Where is it?',
    requester: { key: `user_${randomUUID()}` },
    ...body,
  });
const setFields = (id: number, fields: object): Promise<Ticket> =>
  ok('PATCH', `tickets?id=${id}`, { fields });
const names = async (query = ''): Promise<string[]> =>
  (await ok('GET', `fields${query}`)).map(({ name }: Field) => name);

const KINDS = ['text', 'number', 'date', 'choice', 'choices', 'yes_no', 'link'] as const;

/** One of each kind, with the kind as its key. */
async function oneOfEach(): Promise<void> {
  for (const kind of KINDS)
    await field({
      kind,
      name: kind,
      ...(kind.startsWith('choice') && { choices: ['Red', 'Green', 'Blue'] }),
    });
}

test('fields have an order, a key like their name, and are listed by owner and state', async () => {
  const cause = await field({ name: 'Ürsache der Störung!', kind: 'choice', choices: ['Us', 'Them'] });
  expect(cause).toMatchObject({ key: 'ursache_der_storung', position: 0, required: false, visible: false });
  expect((await field({ name: 'Ursache der Störung' })).key).toBe('ursache_der_storung_2');
  expect((await field({ name: 'سبب', applies_to: 'chats' })).key).toBe('field');
  expect((await field({ name: 'Email', applies_to: 'people' })).key).toBe('email_2');
  const first = await ok('PATCH', `fields?id=${cause.id}`, { position: 9, name: 'Cause' });
  expect(first).toMatchObject({ name: 'Cause', position: 9, choices: ['Us', 'Them'] });
  expect(await names('?applies_to=tickets')).toEqual(['Ursache der Störung', 'Cause']);
  const archived = await ok('PATCH', `fields?id=${cause.id}`, { archived: true });
  expect(archived.archived_utc).not.toBeNull();
  expect(await names('?applies_to=tickets')).toEqual(['Ursache der Störung']);
  expect(await names('?state=archived')).toEqual(['Cause']);
  await ok('DELETE', `fields?id=${cause.id}`);
  expect(await names('?state=all&applies_to=tickets')).toEqual(['Ursache der Störung']);
});

test('an invalid field is refused: a taken key, missing or needless choices, a required field of people', async () => {
  await field({ name: 'Cause', key: 'cause' });
  expect(
    await refused(409, 'POST', 'fields', { applies_to: 'tickets', kind: 'text', name: 'X', key: 'cause' }),
  ).toMatchObject({ code: 'conflict', message: 'Another field has this key.' });
  await field({ name: 'Cause', key: 'cause', applies_to: 'chats' });
  const wrong = async (body: object, path: string) => {
    const { issues } = await refused(400, 'POST', 'fields', {
      applies_to: 'tickets',
      kind: 'text',
      name: 'X',
      ...body,
    });
    expect(issues.map((issue: Json) => issue.path)).toEqual([path]);
  };
  await wrong({ kind: 'choice' }, 'choices');
  await wrong({ choices: ['A'] }, 'choices');
  await wrong({ kind: 'choice', choices: ['A', 'a'] }, 'choices');
  await wrong({ applies_to: 'people', required: true }, 'required');
  await wrong({ applies_to: 'people', key: 'email' }, 'key');
  await wrong({ key: 'not a key' }, 'key');
  await wrong({ key: '__proto__' }, 'key');
  await wrong({ kind: 'colour' }, 'kind');
  const other = await app.makeSite();
  const [mine] = await ok('GET', 'fields');
  for (const [method, body] of [
    ['PATCH', { name: 'Theirs' }],
    ['DELETE', undefined],
  ] as const)
    expect((await app.rest(other.write, method, `/v1/fields?id=${mine.id}`, body)).status).toBe(404);
  expect((await app.rest(other.read, 'GET', '/v1/fields')).body.data).toEqual([]);
});

test('the number of a site’s fields is limited, even if two are created at once', async () => {
  await sql`insert into fields (site_id, applies_to, key, name, kind, position)
    select ${site.site.id}, 'tickets', 'k' || n, 'Field', 'text', n from generate_series(1, ${FIELDS_MAX - 1}::int) n`.execute(
    site.operator.db,
  );
  const answers = await Promise.all(
    ['a', 'b'].map((key) => call('POST', 'fields', { applies_to: 'chats', kind: 'text', name: key, key })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});

test('each kind accepts its values, normalised, and names what is wrong with others', async () => {
  await oneOfEach();
  const values = {
    text: ' <b>Hi</b> ',
    number: -12.5,
    date: '2028-02-29',
    choice: 'green',
    choices: ['blue', 'Red', 'Red'],
    yes_no: false,
    link: 'https://example.com/a?b=c',
  };
  const stored = { ...values, text: '<b>Hi</b>', choice: 'Green', choices: ['Red', 'Blue'] };
  const made = await ticket({ fields: values });
  expect(made.fields).toEqual(stored);
  expect((await ok('GET', `tickets?id=${made.id}`)).fields).toEqual(stored);
  expect((await ok('GET', 'tickets'))[0].fields).toEqual(stored);
  const WRONG: [string, unknown][] = [
    ...([
      ['text', 5],
      ['text', 'x'.repeat(1001)],
      ['text', 'a\u0000b'],
      ['number', '5'],
      ['number', true],
    ] as [string, unknown][]),
    ...([
      ['date', '2026-02-30'],
      ['date', '2026-1-1'],
      ['date', '2026-01-01T00:00:00Z'],
    ] as [string, unknown][]),
    ...([
      ['choice', 'Yellow'],
      ['choice', ['Red']],
      ['choices', 'Red'],
      ['choices', ['Yellow']],
    ] as [string, unknown][]),
    ...([
      ['yes_no', 'true'],
      ['link', 'javascript:alert(1)'],
      ['link', 'example.com'],
    ] as [string, unknown][]),
    ['no_such', 'x'],
    ['__proto_', 'x'],
  ];
  for (const [key, value] of WRONG) {
    const { issues, code } = await refused(400, 'PATCH', `tickets?id=${made.id}`, {
      subject: 'Changed',
      fields: { [key]: value },
    });
    expect(
      [code, issues.map(({ path }: Json) => path.split('.').slice(0, 2).join('.'))],
      `${key} ${value}`,
    ).toEqual(['invalid_input', [`fields.${key}`]]);
  }
  const { issues } = await refused(400, 'POST', 'tickets', {
    subject: 'Other',
    body: 'x',
    requester: { key: 'user_1' },
    fields: { number: 'x', choice: 'x' },
  });
  expect(issues).toEqual([
    { path: 'fields.number', message: 'must be a number' },
    { path: 'fields.choice', message: 'must be one of "Red", "Green", "Blue"' },
  ]);
  expect(await ok('GET', 'tickets')).toHaveLength(1);
  expect(await ok('GET', `tickets?id=${made.id}`)).toMatchObject({ subject: 'Parcel', fields: stored });
});

test('null, an empty text and an empty list clear a value; others stay, and the history names each change', async () => {
  await oneOfEach();
  const { id } = await ticket({ fields: { text: 'A', number: 1, choices: ['Red'], yes_no: true } });
  const cleared = await setFields(id, { text: '', choices: [], number: null, date: '2026-01-01' });
  expect(cleared.fields).toEqual({ yes_no: true, date: '2026-01-01' });
  expect((await setFields(id, { yes_no: true })).updated_utc, 'nothing changed').toBe(cleared.updated_utc);
  const cookie = await app.signIn(site.admin.email);
  const [{ changes }] = (await app.desk(cookie, 'tickets.history', { id })).body.data;
  expect(changes).toEqual({
    'fields.text': ['A', null],
    'fields.number': [1, null],
    'fields.choices': [['Red'], null],
    'fields.date': [null, '2026-01-01'],
  });
});

test('a removed choice stays where it was chosen, and can’t be chosen again', async () => {
  const { id: fieldId } = await field({ name: 'colour', kind: 'choice', choices: ['Red', 'Green'] });
  const { id } = await ticket({ fields: { colour: 'Green' } });
  await ok('PATCH', `fields?id=${fieldId}`, { choices: ['Red'] });
  expect((await setFields(id, { colour: 'Green' })).fields).toEqual({ colour: 'Green' });
  expect((await setFields(id, { colour: 'Red' })).fields).toEqual({ colour: 'Red' });
  await refused(400, 'PATCH', `tickets?id=${id}`, { fields: { colour: 'Green' } });
});

test('an archived field hides its values until it is restored, a deleted one deletes them', async () => {
  const { id: fieldId } = await field({ name: 'cause' });
  const { id } = await ticket({ fields: { cause: 'Rain' } });
  await ok('PATCH', `fields?id=${fieldId}`, { archived: true });
  expect((await ok('GET', `tickets?id=${id}`)).fields).toEqual({});
  expect((await refused(400, 'PATCH', `tickets?id=${id}`, { fields: { cause: 'Snow' } })).issues).toEqual([
    { path: 'fields.cause', message: 'is archived' },
  ]);
  await ok('PATCH', `fields?id=${fieldId}`, { archived: false });
  expect((await ok('GET', `tickets?id=${id}`)).fields).toEqual({ cause: 'Rain' });
  await ok('DELETE', `fields?id=${fieldId}`);
  expect((await ok('GET', `tickets?id=${id}`)).fields).toEqual({});
  await field({ name: 'cause' });
  expect((await ok('GET', `tickets?id=${id}`)).fields).toEqual({});
  const { rows } = await sql`select from ticket_fields where site_id = ${site.site.id}`.execute(
    site.operator.db,
  );
  expect(rows).toHaveLength(0);
});

test('a value that is written while its field is deleted is stored or refused, never an error', async () => {
  const { id: fieldId } = await field({ name: 'cause' });
  const ids = await Promise.all([1, 2, 3, 4].map(async () => (await ticket()).id));
  const answers = await Promise.all([
    call('DELETE', `fields?id=${fieldId}`),
    ...ids.map((id) => call('PATCH', `tickets?id=${id}`, { fields: { cause: 'x' } })),
  ]);
  expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
});

test('a ticket isn’t solved without its required fields, at any entry point, and missing ones are named', async () => {
  const { id: required } = await field({ name: 'Root cause', key: 'cause', required: true });
  await field({ name: 'Optional' });
  const { id } = await ticket();
  const error = await refused(400, 'PATCH', `tickets?id=${id}`, { status: 'solved' });
  expect(error).toMatchObject({
    code: 'invalid_input',
    message: 'This ticket can’t be solved without a value for: Root cause (cause).',
    issues: [{ path: 'fields.cause' }],
  });
  await refused(400, 'POST', 'ticket_reply', {
    ticket_id: id,
    type: 'public',
    body: 'Done',
    status: 'solved',
  });
  const bulk = await ok('POST', 'tickets_bulk', { ids: [id], action: 'set_status', status: 'solved' });
  expect(bulk).toMatchObject({ succeeded: [], failed: [{ id }] });
  const macro = await ok('POST', 'macros', {
    name: 'Solve',
    actions: [{ type: 'set_status', status: 'solved' }],
  });
  const cookie = await app.signIn(site.admin.email);
  const applied = await app.desk(cookie, 'macros.apply', { macro_id: macro.id, ticket_id: id });
  expect([applied.status, applied.body.error.reason]).toEqual([400, 'fields_missing']);
  expect(await ok('GET', `tickets?id=${id}`)).toMatchObject({ status: 'new', replies: [] });
  expect(
    await ok('PATCH', `tickets?id=${id}`, { status: 'solved', fields: { cause: 'Rain' } }),
  ).toMatchObject({ status: 'solved' });
  const later = await ticket();
  await ok('PATCH', `fields?id=${required}`, { archived: true });
  expect(await ok('PATCH', `tickets?id=${later.id}`, { status: 'solved' })).toMatchObject({
    status: 'solved',
  });
});

test('agents read fields and write values, admins change fields, desks are notified and the audit log records it', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' });
  const [admin, agent] = [await app.signIn(site.admin.email), await app.signIn(email)];
  const { id } = await field({ name: 'Cause', key: 'cause' });
  expect((await app.desk(agent, 'fields.list', {})).body.data).toHaveLength(1);
  expect((await app.desk(agent, 'fields.update', { id, name: 'Mine' })).status).toBe(403);
  const made = await ticket();
  const written = await app.desk(agent, 'tickets.update', { id: made.id, fields: { cause: 'Rain' } });
  expect(written.body.data.fields).toEqual({ cause: 'Rain' });
  const socket = await TestSocket.agent(app.url, agent);
  await app.desk(admin, 'fields.update', { id, name: 'Root cause' });
  await socket.next('team_changed');
  socket.cut();
  const items = (await app.desk(admin, 'audit.list', { subject: 'field' })).body.data;
  expect(items.map(({ action, label }: AuditEntry) => [action, label])).toEqual([
    ['fields.update', 'Root cause'],
    ['fields.create', 'Cause'],
  ]);
});

/** A chat that was handed over to the team. */
async function chat(): Promise<string> {
  const started = await ok('POST', 'conversations', { key: `user_${randomUUID()}`, text: 'Where is it?' });
  return started.session_id;
}

test('a chat has fields over REST and at the desk, also once it is closed', async () => {
  await field({ applies_to: 'chats', name: 'Topic', kind: 'choice', choices: ['Parcel', 'Refund'] });
  await field({ name: 'Cause' });
  const session_id = await chat();
  const update = (body: object) => ok('PATCH', `conversations?session_id=${session_id}`, body);
  expect((await update({ fields: { topic: 'parcel' } })).fields).toEqual({ topic: 'Parcel' });
  const { issues } = await refused(400, 'PATCH', `conversations?session_id=${session_id}`, {
    fields: { topic: 'Other', cause: 'x' },
    tags: ['vip'],
  });
  expect(issues.map(({ path }: Json) => path)).toEqual(['fields.topic', 'fields.cause']);
  expect(await ok('GET', `conversations?session_id=${session_id}`)).toMatchObject({
    fields: { topic: 'Parcel' },
    tags: [],
  });
  expect((await ok('GET', 'conversations'))[0].fields).toEqual({ topic: 'Parcel' });
  const cookie = await app.signIn(site.admin.email);
  await update({ status: 'closed' });
  const written = await app.desk(cookie, 'sessions.set_fields', { session_id, fields: { topic: 'Refund' } });
  expect(written.body.data.fields).toEqual({ topic: 'Refund' });
  expect((await app.desk(cookie, 'sessions.get', { session_id })).body.data.fields).toEqual({
    topic: 'Refund',
  });
  const other = await app.makeSite();
  const stranger = await app.signIn(other.admin.email);
  expect(
    (await app.desk(stranger, 'sessions.set_fields', { session_id, fields: { topic: null } })).status,
  ).toBe(404);
});

test('the team can’t close a chat without its required fields, at any entry point; a visitor and a block can', async () => {
  await field({ applies_to: 'chats', name: 'Topic', required: true });
  const cookie = await app.signIn(site.admin.email);
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, { key: `user_${randomUUID()}` });
  const sent = (await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text: 'Hi',
  })) as Json;
  const { session_id } = sent.session;
  const error = await refused(400, 'PATCH', `conversations?session_id=${session_id}`, { status: 'closed' });
  expect(error.message).toBe('This chat can’t be closed without a value for: Topic (topic).');
  for (const in_s of [0, 5]) {
    const answer = await app.desk(cookie, 'sessions.close', { session_id, in_s });
    expect([answer.status, answer.body.error.reason, answer.body.error.values]).toEqual([
      400,
      'fields_missing',
      { name: 'Topic' },
    ]);
  }
  const macro = await ok('POST', 'macros', {
    name: 'Solve',
    actions: [{ type: 'set_status', status: 'solved' }],
  });
  const applied = await app.desk(cookie, 'macros.apply_to_chat', { macro_id: macro.id, session_id });
  expect(applied.status).toBe(400);
  expect(await ok('GET', `conversations?session_id=${session_id}`)).toMatchObject({ status: 'bot' });
  await socket.call('chat.end', { session_id });
  expect(await ok('GET', `conversations?session_id=${session_id}`)).toMatchObject({ status: 'closed' });
  socket.cut();
  const other = await chat();
  const both = { fields: { topic: 'Parcel' }, status: 'closed' };
  expect(await ok('PATCH', `conversations?session_id=${other}`, both)).toMatchObject({ status: 'closed' });
});

test('a person’s field is an attribute: agents and tokens store only values of its kind, pages anything', async () => {
  await field({ applies_to: 'people', name: 'Plan', kind: 'choice', choices: ['Free', 'Pro'] });
  const seats = await field({ applies_to: 'people', name: 'Seats', kind: 'number' });
  const key = `user_${randomUUID()}`;
  const made = await ok('POST', 'visitors', { key, plan: 'pro', attributes: { seats: 5, city: 'Kyiv' } });
  expect(made.attributes).toEqual({ plan: 'Pro', seats: 5, city: 'Kyiv' });
  const wrong = await refused(400, 'POST', 'visitors', { key, plan: 'Gold', attributes: { seats: 'many' } });
  expect(wrong.issues.map(({ path }: Json) => path).toSorted()).toEqual(['attributes.seats', 'plan']);
  const cookie = await app.signIn(site.admin.email);
  const edit = (attributes: object) => app.desk(cookie, 'visitors.update', { key, attributes });
  expect((await edit({ plan: 'Gold' })).status).toBe(400);
  expect((await edit({ plan: null, seats: 6 })).body.data.attributes).toEqual({ seats: 6, city: 'Kyiv' });
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, { key, attributes: { plan: 'Gold' } });
  socket.cut();
  expect((await edit({ plan: 'Free' })).body.data.attributes).toMatchObject({ plan: 'Free' });
  await ok('PATCH', `fields?id=${seats.id}`, { archived: true });
  expect((await edit({ seats: 'many' })).body.data.attributes).toMatchObject({ seats: 'many' });
  await ok('DELETE', `fields?id=${seats.id}`);
  expect((await ok('GET', `visitors?key=${key}`)).attributes).toMatchObject({ seats: 'many', city: 'Kyiv' });
});

test('a customer’s page has the values of visible fields alone, as text', async () => {
  const parts = { kind: 'choices', choices: ['Shade', 'Cable'], visible: true };
  await field({ name: 'Parts', ...parts });
  const shown = await field({ name: 'Note <b>', key: 'note', visible: true });
  await field({ name: 'Insured', kind: 'yes_no', visible: true });
  await field({ name: 'Margin', kind: 'number' });
  const fields = { parts: ['Shade', 'Cable'], note: '<i>Soon</i>', insured: true, margin: 4711 };
  const { id } = await ticket({ fields });
  const { token } = await ok('POST', 'portal_token', { ticket_id: id });
  const page = async (): Promise<string> => (await fetch(`${app.url}/portal/${token}`)).text();
  const before = await page();
  expect(before).toContain('<dt dir="auto">Parts</dt><dd dir="auto">Shade, Cable</dd>');
  expect(before).toContain('Note &lt;b&gt;</dt><dd dir="auto">&lt;i&gt;Soon&lt;/i&gt;</dd>');
  expect(before).toContain('<dt dir="auto">Insured</dt><dd dir="auto">Yes</dd>');
  expect(before).not.toMatch(/Margin|4711/);
  await ok('PATCH', `fields?id=${shown.id}`, { archived: true });
  expect(await page()).not.toContain('Soon');
});
