import type { Macro } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { openChat } from '../../../test/stand.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  ben = (await makeAgent(site.operator, { email: 'ben@macro.example', name: 'Ben' })).id;
});
afterAll(() => app.close());

const ask = async (operation: string, input: object) => (await app.desk(cookie, operation, input)).body;
const detail = async (session_id: string) => (await ask('sessions.get', { session_id })).data;

let made = 0;
async function macroOf(...actions: Macro['actions']): Promise<number> {
  return (await ask('macros.create', { name: `Macro ${++made}`, actions })).data.id;
}

const apply = async (session_id: string, ...actions: Macro['actions']) =>
  ask('macros.apply_to_chat', { macro_id: await macroOf(...actions), session_id });

test('a macro replies, notes, tags and assigns in a chat, and skips actions that only tickets have', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  const { data } = await apply(
    id,
    { type: 'assign', assignee_id: ben },
    { type: 'set_priority', priority: 'urgent' },
    { type: 'reply', body: '{{agent.name}} of {{site.name}} here.' },
    { type: 'note', body: 'Asked about a return' },
    { type: 'add_tags', tags: ['returns', 'Lamp'] },
  );
  expect(data).toMatchObject({ status: 'active', agent: { id: ben }, tags: ['Lamp', 'returns'] });
  const { message } = await socket.next('message', ({ message: said }) => said.sender === 'agent');
  expect(message).toMatchObject({ author: { id: site.admin.agentId } });
  expect(message.text).toMatch(/^\S.* of \S.* here\.$/);
  expect((await detail(id)).notes.map(({ text }: { text: string }) => text)).toEqual([
    'Asked about a return',
  ]);
  socket.cut();
});

test('solving closes the chat in a moment and can be undone', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await ask('sessions.set_tags', { session_id: id, tags: ['lamp', 'new'] });
  const { data } = await apply(
    id,
    { type: 'set_status', status: 'solved' },
    { type: 'remove_tags', tags: ['LAMP'] },
    { type: 'reply', body: 'Glad that it works.' },
  );
  expect(data).toMatchObject({ status: 'active', closes_utc: expect.any(String), tags: ['new'] });
  expect((await ask('sessions.keep_open', { session_id: id })).data.closes_utc).toBeNull();
  socket.cut();
});

test('a snooze works in a chat too, after an assignment that would end it', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  const before = Date.now();
  const { data } = await apply(
    id,
    { type: 'snooze', minutes: 60 },
    { type: 'reply', body: 'We will look into it.' },
    { type: 'assign', assignee_id: ben },
  );
  expect(data).toMatchObject({ status: 'active', agent: { id: ben } });
  expect(Date.parse(data.snoozed_until_utc)).toBeGreaterThanOrEqual(before + 3_600_000);
  socket.cut();
});

test('if one action is refused, none is done', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  const { error } = await apply(
    id,
    { type: 'note', body: 'Looked at it' },
    { type: 'add_tags', tags: ['half'] },
    // No ticket comes from this chat: nothing is left of the text.
    { type: 'reply', body: '{{ticket.subject}}' },
  );
  expect(error).toMatchObject({ code: 'conflict', reason: 'macro_text_empty' });
  expect(await detail(id)).toMatchObject({ notes: [], tags: [], agent: null });
  expect(socket.messagesOf(id).filter(({ sender }) => sender === 'agent')).toEqual([]);
  socket.cut();
});

test('a macro for tickets alone is refused in a chat', async () => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  const { error } = await apply(id, { type: 'set_priority', priority: 'low' });
  expect(error).toMatchObject({ code: 'conflict', reason: 'macro_not_for_chats' });
  socket.cut();
});

test('a macro is applied to many chats at once', async () => {
  const chats = await Promise.all([1, 2].map(() => openChat({ url: app.url, publicKey: site.publicKey })));
  const macro_id = await macroOf({ type: 'add_tags', tags: ['many'] });
  const started = await ask('bulk_changes.start', {
    of: { tickets: [], sessions: chats.map(({ id }) => id) },
    change: { action: 'apply_macro', macro_id },
  });
  expect(started.error).toBeUndefined();
  await until(async () => {
    const found = await Promise.all(chats.map(({ id }) => detail(id)));
    return found.every(({ tags }) => tags.includes('many'));
  });
  for (const { socket } of chats) socket.cut();
});
