import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';
import { openWidgetVisitor } from '../../test/widget-visitor.ts';

// Visitors who return all at once, to a process that can do two things at a time.

let app: TestApp;
let site: TestSite;
let owner: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ FOYER_DATABASE_POOL: '2' });
  site = await app.makeSite();
  owner = new pg.Client({ connectionString: app.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

/** A visitor with a record. @returns the token of their browser */
async function visitor(): Promise<string> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  await socket.call('chat.send', { session_id: null, client_id: randomUUID(), text: 'Hello' });
  const { token } = await socket.next('welcome');
  socket.cut();
  if (!token) throw new Error('no token');
  return token;
}

async function greets(token: string): Promise<TestSocket> {
  const socket = await TestSocket.open(`${app.url}/widget/socket?site=${site.publicKey}`);
  socket.send({ type: 'hello', token });
  return socket;
}

/** Blocks returning visitors, and fills the process' two places with these. */
async function holdUp(tokens: string[]): Promise<{ held: TestSocket[]; letGo: () => Promise<unknown> }> {
  await owner.query('begin');
  await owner.query('lock table visitor_devices in access exclusive mode');
  const held = await Promise.all(tokens.map(greets));
  await until(async () => {
    const { rows } = await owner.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows.length >= 2;
  });
  return { held, letGo: () => owner.query('commit') };
}

test('a waiting client gets signs of life, until it is welcomed', async () => {
  const [token, ...others] = [await visitor(), await visitor(), await visitor()];
  const { held, letGo } = await holdUp(others);
  const waiting = await greets(token);
  await until(async () => waiting.frames.length >= 2);
  expect(waiting.frames.map(({ type }) => type)).toEqual(['pong', 'pong']);
  await letGo();
  await waiting.next('welcome');
  for (const socket of [...held, waiting]) socket.cut();
});

test('a waiting widget opens no other connection', { timeout: 30_000 }, async () => {
  const [token, ...others] = [await visitor(), await visitor(), await visitor()];
  const { held, letGo } = await holdUp(others);
  let opened = 0;
  const count = ({ url = '' }: { url?: string }): void => {
    if (url.startsWith('/widget/socket')) opened++;
  };
  const { server } = app.app.server;
  server.on('upgrade', count);
  const watch = await greets(token);
  const widget = await openWidgetVisitor(app.url, site.publicKey);
  widget.send('Hello');
  // As long as a silent server would make it open all four.
  await until(async () => watch.frames.filter(({ type }) => type === 'pong').length >= 4);
  await letGo();
  await widget.until(() => widget.waiting().length === 0);
  server.off('upgrade', count);
  expect(opened).toBe(2);
  widget.leave();
  for (const socket of [...held, watch]) socket.cut();
});

/** Asks over requests, and aborts once the server has read the first. */
async function givesUp(token: string): Promise<void> {
  const { server } = app.app.server;
  const giveUp = new AbortController();
  const read = new Promise<void>((resolve) => {
    server.once('request', (request) => request.once('end', () => setImmediate(setImmediate, resolve)));
  });
  const asked = fetch(`${app.url}/widget/poll?site=${site.publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ poll: null, frames: [JSON.stringify({ type: 'hello', token })], wait: true }),
    signal: giveUp.signal,
  });
  await read;
  giveUp.abort();
  await expect(asked).rejects.toThrow();
}

test('a client that is gone when its turn comes takes nobody else’s', async () => {
  const tokens: string[] = [];
  for (let count = 0; count < 6; count++) tokens.push(await visitor());
  const seen = async (): Promise<string[]> => {
    const { rows } = await owner.query('select seen_at from visitor_devices order by id');
    return rows.map(({ seen_at }) => seen_at.toISOString());
  };
  const before = await seen();
  const { held: first, letGo } = await holdUp(tokens.slice(0, 2));
  for (const token of tokens.slice(2, 4)) {
    const socket = await greets(token);
    await socket.next('pong');
    await socket.close();
  }
  await givesUp(tokens[4] ?? '');
  const last = await greets(tokens[5] ?? '');
  await letGo();
  for (const socket of [...first, last]) await socket.next('welcome');
  const after = await seen();
  expect(after.map((at, place) => at !== before[place]).slice(-6)).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
  for (const socket of [...first, last]) socket.cut();
});
