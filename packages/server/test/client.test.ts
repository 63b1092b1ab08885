import { readFileSync } from 'node:fs';
import { createClient, FoyerError } from '@foyer/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { clientOperations } from './client-operations.ts';
import { blocksOf, readPage } from './doc-pages.ts';
import { tellStory } from './doc-story.ts';
import { until } from './harness.ts';

let app: TestApp;
let site: TestSite;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
});
afterAll(() => app.close());

const clientOf = (token: string) => createClient({ baseUrl: app.url, token });

describe('the client', () => {
  it('has every operation of the registry', () => {
    const file = new URL('../../client/src/operations.ts', import.meta.url);
    expect(readFileSync(file, 'utf8'), 'npm run docs writes it').toBe(clientOperations());
  });

  it('creates, changes, lists and deletes', async () => {
    const foyer = clientOf(site.write);
    const made = await foyer.tags.create({ name: 'returns' });
    expect(await foyer.tags.update({ id: made.id, color: '#AABBCC' })).toEqual({ ...made, color: '#aabbcc' });
    for (const name of ['press', 'delivery']) await foyer.tags.create({ name });
    const page = await foyer.tags.list({ limit: 2 });
    expect(page.items.map(({ name }) => name)).toEqual(['delivery', 'press']);
    const names: string[] = [];
    for await (const tag of foyer.tags.all({ limit: 1, order: 'asc' })) names.push(tag.name);
    expect(names).toEqual(['returns', 'press', 'delivery']);
    expect(await foyer.tags.delete({ id: made.id })).toEqual({ id: made.id, deleted: true });
  });

  it('gets a single record of a list', async () => {
    const foyer = clientOf(site.write);
    await foyer.visitors.upsert({ key: 'user_42', email: 'maya@example.com', plan: 'pro' });
    await foyer.track.create({ key: 'user_42', name: 'signed_up' });
    const visitor = await foyer.visitors.get({ key: 'user_42' });
    expect([visitor.attributes, visitor.event_count]).toEqual([{ plan: 'pro' }, 1]);
    const { items } = await foyer.visitors.list({ email: 'maya@example.com' });
    expect(items.map(({ key }) => key)).toEqual(['user_42']);
  });

  it('throws the server’s error', async () => {
    const refused = await clientOf(site.read)
      .tags.create({ name: 'x' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FoyerError);
    expect(refused).toMatchObject({ code: 'insufficient_scope', status: 403, requestId: /^req_/ });
    const missing = clientOf(site.write).tags.update({ id: 2 ** 53 - 1, name: 'x' });
    await expect(missing).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await expect(clientOf(`foy_${'A'.repeat(43)}`).whoami.get()).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('executes a POST once, however often it is sent with one key', async () => {
    const foyer = clientOf(site.write);
    const send = () => foyer.tags.create({ name: 'once' }, { idempotencyKey: 'tag-once' });
    const [first, second] = await Promise.all([send(), send()]);
    expect(second).toEqual(first);
  });
});

/** Begins and closes a chat of the site as soon as somebody streams its events. */
async function closeOnceStreamed({ site, write }: TestSite): Promise<void> {
  await until(async () => {
    const { rows } = await app.app.database.pool.query('select from stream_recordings where site_id = $1', [
      site.id,
    ]);
    return rows.length > 0;
  });
  const { body } = await app.rest(write, 'POST', '/v1/conversations', {
    key: 'user_78',
    text: 'Thanks, bye',
  });
  const path = `/v1/conversations?session_id=${body.data.session_id}`;
  expect((await app.rest(write, 'PATCH', path, { status: 'closed' })).status).toBe(200);
}

describe('docs/client.md', () => {
  const codes = blocksOf(readPage('client.md')).filter(({ language }) => language === 'ts');

  it('shows code that runs', async () => {
    const own = await app.makeSite();
    await tellStory('handoffs', { app, site: own, receiver: app.url });
    const imported = /^import .*'@foyer\/client';$/gm;
    const client = import.meta.resolve('@foyer/client');
    expect(codes.length).toBeGreaterThan(3);
    // The blocks continue each other, as a reader runs them.
    const code = codes.map(({ text }) => text.replace(imported, '')).join('\n');
    const program = `import { createClient, FoyerError } from ${JSON.stringify(client)};
export default async (process, console) => {\n${code}\n};`;
    const { stripTypeScriptTypes } = await import('node:module');
    const module = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(program))}`;
    const { default: run } = await import(/* @vite-ignore */ module);
    const printed: string[] = [];
    const print = (...words: unknown[]): void => void printed.push(words.join(' '));
    const running = run(
      { env: { FOYER_URL: app.url, FOYER_TOKEN: own.write } },
      { log: print, error: print },
    );
    await Promise.race([running, closeOnceStreamed(own)]);
    await running;
    expect(printed.join('\n')).toContain('visitor_request');
    expect(printed.join('\n')).toMatch(/\d+\.\d+ conversation_closed ses_/);
  });
});
