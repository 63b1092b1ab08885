import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';
import { openChat } from '../../test/stand.ts';
import { hadSamples } from '../core/mark-samples.ts';
import { holdDemoChats } from '../demo/chats.ts';
import type { Stage } from '../demo/stage.ts';
import { makeDemoTickets, makeDemoTools } from '../demo/tickets.ts';
import { holdDemoWeeks } from '../demo/weeks.ts';
import { importSampleKnowledge } from '../knowledge/sample.ts';
import { countSite } from '../reports/counting.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});

const ask = async (operation: string, input: object = {}) => {
  const { status, body } = await app.desk(cookie, operation, input);
  if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
};

const stage = (): Stage => {
  const ada = { kind: 'agent', agentId: site.admin.agentId, name: 'Ada', role: 'admin' } as const;
  return {
    app: app.app,
    site: site.site,
    team: { ada, ben: ada, cleo: ada },
    pageUrl: `${app.url}/demo`,
  };
};

async function bringSamples(): Promise<void> {
  await importSampleKnowledge(site.operator);
  await holdDemoChats(stage());
}

/** The sums of reports over all days. */
async function sums(): Promise<number> {
  await countSite(site.operator);
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(abs(count) + abs(total)), 0)::int as sum from report_days where site_id = ${site.site.id}`.execute(
    site.operator.db,
  );
  return rows[0]?.sum ?? 0;
}

const chatsOf = (): Promise<{ session_id: string; visitor: { name: string } }[]> =>
  ask('sessions.list', { queue: 'all' });

test('all of it is removed at once, with the numbers before and in the audit log, and leaves no sums', async () => {
  await bringSamples();
  expect(await sums()).toBeGreaterThan(0);
  const there = await ask('samples.get');
  expect(there).toMatchObject({ articles: 20, starters: 3, chats: 3, visitors: 3, kept_articles: [] });
  expect(await ask('samples.remove')).toEqual(there);
  for (const list of ['articles.list', 'categories.list', 'conversation_starters.list', 'visitors.find'])
    expect(await ask(list)).toEqual([]);
  expect(await chatsOf()).toEqual([]);
  expect(await sums()).toBe(0);
  const [entry] = await ask('audit.list', { subject: 'samples' });
  expect(entry).toMatchObject({
    action: 'samples.remove',
    actor: { kind: 'agent', id: site.admin.agentId },
    changes: { articles: [20, 0], starters: [3, 0], chats: [3, 0], visitors: [3, 0] },
  });
  // Removed samples aren't created again at the next start of the demo.
  expect(await hadSamples(site.operator, 'chat')).toBe(true);
  expect(await ask('samples.get')).toMatchObject({ articles: 0, chats: 0, may_create: true });
});

test('the weeks and tickets of the demo are removed with it, except the macro that the team has changed and the tag of its own ticket', async () => {
  await makeDemoTools(stage());
  await holdDemoWeeks(stage());
  await makeDemoTickets(stage());
  const macros: { id: number; name: string }[] = await ask('macros.list');
  await ask('macros.update', { id: macros[0]?.id, name: 'Ours' });
  await ask('tickets.create', {
    subject: 'Ours',
    body: 'Real',
    requester: { name: 'Rea' },
    tags: ['damage'],
  });
  expect(await ask('samples.get')).toMatchObject({ chats: 16, visitors: 8, tickets: 6, macros: 1 });
  await ask('samples.remove');
  const names = async (list: string, name: string) =>
    (await ask(list)).map((record: Record<string, unknown>) => record[name]);
  expect(await chatsOf()).toEqual([]);
  expect(await names('tickets.list', 'subject')).toEqual(['Ours']);
  expect(await names('macros.list', 'name')).toEqual(['Ours']);
  expect(await names('tags.list', 'name')).toEqual(['damage']);
  expect(await names('visitors.find', 'name')).toEqual(['Rea']);
  expect(await hadSamples(site.operator, 'ticket')).toBe(true);
});

test('samples that the team has edited, is editing or has created a ticket from stay, and so do real people', async () => {
  await bringSamples();
  const [edited, drafted] = await ask('articles.list', { limit: 2 });
  await ask('articles.update', { id: edited.id, body: 'In our own words.' });
  await ask('article_drafts.save', {
    article_id: drafted.id,
    revision: null,
    base_version: drafted.version ?? 1,
    title: drafted.title,
    body: 'Not yet done.',
  });
  const [starter] = await ask('conversation_starters.list');
  await ask('conversation_starters.update', { id: starter.id, label: 'Where is it?' });
  const ticketed = (await chatsOf()).find(({ visitor }) => visitor.name === 'Mira Lindqvist');
  await ask('tickets.create_from_chat', { session_id: ticketed?.session_id });
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  expect(await ask('samples.get')).toMatchObject({
    articles: 18,
    kept_articles: [edited, drafted].map(({ id, title }) => ({ id, title })).sort((a, b) => a.id - b.id),
    starters: 2,
    kept_starters: 1,
    chats: 2,
    kept_chats: 1,
    visitors: 2,
  });
  await ask('samples.remove');
  const left: { id: number; category: string }[] = await ask('articles.list');
  expect(left.map((article) => article.id).sort()).toEqual([edited.id, drafted.id].sort());
  const categories: { name: string }[] = await ask('categories.list');
  expect(new Set(categories.map(({ name }) => name))).toEqual(new Set(left.map(({ category }) => category)));
  expect((await ask('conversation_starters.list')).length).toBe(1);
  const sessions = (await chatsOf()).map(({ session_id }) => session_id).sort();
  expect(sessions).toEqual([id, ticketed?.session_id].sort());
  expect(await ask('samples.remove')).toMatchObject({ articles: 0, starters: 0, chats: 0, visitors: 0 });
  socket.cut();
});

test('a deleted sample article can be restored, and is the team’s from then on', async () => {
  await importSampleKnowledge(site.operator);
  const [{ id }] = await ask('articles.list', { limit: 1 });
  await ask('samples.remove');
  await ask('deleted_articles.restore', { ids: [id] });
  expect(await ask('samples.remove')).toMatchObject({ articles: 0, kept_articles: [] });
  expect((await ask('articles.list')).length).toBe(1);
});

test('an empty site may import the sample articles, one with articles may not', async () => {
  expect(await ask('samples.create')).toMatchObject({ articles: 20, starters: 0, may_create: false });
  expect(await ask('samples.create')).toMatchObject({ articles: 20, starters: 0 });
  const articles: { status: string }[] = await ask('articles.list', { limit: 100 });
  expect(new Set(articles.map(({ status }) => status))).toEqual(new Set(['Draft']));
  await ask('samples.remove');
  await ask('articles.create', { title: `Ours ${randomUUID()}` });
  expect(await ask('samples.create')).toMatchObject({ articles: 0, starters: 0, may_create: false });
  expect((await ask('articles.list')).length).toBe(1);
});

test('open desks are notified that the chats are gone', async () => {
  await bringSamples();
  const socket = await TestSocket.agent(app.url, cookie);
  const ids = (await chatsOf()).map(({ session_id }) => session_id);
  await ask('samples.remove');
  for (const id of ids) await socket.next('session_gone', ({ session_id }) => session_id === id);
  socket.cut();
});
