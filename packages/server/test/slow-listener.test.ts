import { expect, test } from 'vitest';
import { openPostgresBus } from '../src/realtime/bus/postgres-bus.ts';
import { startTestApp } from './app.ts';
import { openLine } from './cut-line.ts';
import { silentLog, until } from './harness.ts';
import { makePostgres } from './postgres-server.ts';
import { TestSocket } from './sockets.ts';
import { openChat, say } from './stand.ts';

const LISTENERS = `select pid from pg_stat_activity where application_name = 'foyer bus'`;
/** 32 MB: the kernel buffers less. */
const FLOOD = `select pg_notify('foyer', repeat('0', 12) || json_build_object('nothing', n || repeat('x', 7900)))
  from generate_series(1, 4000) n`;

test('a process that listens too slowly is disconnected, and its desk shows each message once', async () => {
  const postgres = await makePostgres({ max_connections: '100' });
  await postgres.start();
  const line = await openLine(() => postgres.port);
  const database = { url: postgres.url, close: async () => undefined };
  const quick = await startTestApp({}, {}, database);
  const behind = new URL(postgres.url);
  behind.port = String(line.port);
  const slow = await startTestApp({}, { directUrl: behind.href }, database);
  const { pool } = quick.app.database;
  const heard = { onMessage: () => undefined, onGap: () => undefined };
  const checking = await openPostgresBus({
    url: postgres.url,
    pool,
    log: silentLog,
    // A reader that a busy machine delays for less than three of them must not count as hung.
    checkMs: 1_000,
    ...heard,
  });
  const pids = async (): Promise<number[]> => (await pool.query(LISTENERS)).rows.map(({ pid }) => pid);
  try {
    const site = await quick.makeSite();
    const chat = await openChat({ url: quick.url, publicKey: site.publicKey });
    const desk = await TestSocket.agent(slow.url, await slow.signIn(site.admin.email));
    await desk.subscribe(chat.id);
    const before = await pids();
    line.faults = { bytesPerSecond: 50_000 };
    await postgres.query(FLOOD);
    for (let n = 0; n < 20; n++) await say(chat.socket, chat.id, `Question ${n}`);
    await until(async () => {
      const now = await pids();
      return before.some((pid) => !now.includes(pid));
    });
    line.faults = {};
    await say(chat.socket, chat.id, 'Last question');
    const isLast = ({ text }: { text: string }): boolean => text === 'Last question';
    await until(async () => desk.messagesOf(chat.id).some(isLast));
    const stored = await pool.query('select seq from messages order by seq');
    expect(desk.messagesOf(chat.id).map(({ seq }) => seq)).toEqual(stored.rows.map(({ seq }) => seq));
    expect(stored.rows.length).toBeGreaterThan(21);
    desk.cut();
    chat.socket.cut();
  } finally {
    await checking.close();
    await slow.close();
    await quick.close();
    await line.close();
    await postgres.stop();
  }
});
