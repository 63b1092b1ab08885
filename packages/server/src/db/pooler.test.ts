import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { type TestDatabase, testDatabase } from '../../test/harness.ts';
import { lacksPgbouncer, type Pgbouncer, startPgbouncer } from '../../test/pgbouncer.ts';
import { openChat, say } from '../../test/stand.ts';
import { StartError } from '../base/start-error.ts';
import { openDatabase } from './database.ts';
import { prepared } from './prepared.ts';

const CHATS = 12;

describe.skipIf(lacksPgbouncer())('behind pgbouncer', () => {
  let database: TestDatabase;
  let pooler: Pgbouncer;
  let session: Pgbouncer;
  beforeAll(async () => {
    database = await testDatabase();
    [pooler, session] = await Promise.all([
      startPgbouncer(database.url, 'transaction'),
      startPgbouncer(database.url, 'session'),
    ]);
  });
  afterAll(async () => {
    await Promise.all([pooler.close(), session.close()]);
    await database.close();
  });

  /** A process, with the refused statements in its log. */
  async function start(mode: Pgbouncer): Promise<{ app: TestApp; logged: string[] }> {
    const logged: string[] = [];
    // Errors of a server or a pooler have a code; timeouts of a busy machine have none.
    const write = (line: string): void => {
      if (JSON.parse(line).err?.code !== undefined) logged.push(line);
    };
    const log = pino({ level: 'warn' }, { write });
    const directUrl = mode === pooler ? { directUrl: database.url } : {};
    const app = await startTestApp(
      {},
      { log, ...directUrl },
      { url: mode.urlOf(database.url), close: async () => undefined },
    );
    onTestFinished(() => app.close());
    return { app, logged };
  }

  test.each(['transaction', 'session'] as const)(
    'in %s mode two processes serve chats, jobs and notices and no statement fails',
    async (mode) => {
      const [one, other] = [
        await start(mode === 'transaction' ? pooler : session),
        await start(mode === 'transaction' ? pooler : session),
      ];
      const site = await one.app.makeSite();
      const chats = await Promise.all(
        Array.from({ length: CHATS }, (_, index) =>
          openChat(
            { url: (index % 2 ? one : other).app.url, publicKey: site.publicKey },
            'Is anybody there?',
          ),
        ),
      );
      const cookie = await other.app.signIn(site.admin.email);
      await Promise.all(
        chats.flatMap(({ socket, id }) => [1, 2, 3].map((count) => say(socket, id, `Message ${count}`))),
      );
      // A job answers, on either process, and its notice reaches the visitor's.
      await Promise.all(
        chats.map(({ socket }) => socket.next('message', ({ message }) => message.sender === 'bot')),
      );
      const [first] = chats;
      await other.app.desk(cookie, 'sessions.accept', { session_id: first?.id });
      const reply = await other.app.desk(cookie, 'sessions.reply', {
        session_id: first?.id,
        client_id: randomUUID(),
        text: 'I am',
      });
      expect(reply.status).toBe(200);
      await first?.socket.next('message', ({ message }) => message.text === 'I am');
      expect([...one.logged, ...other.logged]).toEqual([]);
    },
  );

  test('a pooler in transaction mode alone is refused in one line that names the setting', async () => {
    const started = startTestApp({}, {}, { url: pooler.urlOf(database.url), close: async () => undefined });
    await expect(started).rejects.toThrow(StartError);
    await expect(started).rejects.toThrow(/^[^\n]+transaction mode[^\n]+DATABASE_DIRECT_URL[^\n]+$/);
  });

  test('statements have no names there, unless the setting says that the pooler supports them', async () => {
    const own = await testDatabase();
    const kept = async (prefer: boolean | undefined): Promise<number> => {
      const options = { max: 1, directUrl: own.url, prepared: prefer };
      const { db, close } = openDatabase(pooler.urlOf(own.url), options);
      await sql`${prepared} select 1`.execute(db);
      const { rows } = await sql<{ name: string }>`
        select name from pg_prepared_statements where name like 'foyer%'`.execute(db);
      await close();
      return rows.length;
    };
    expect(await kept(undefined)).toBe(0);
    expect(await kept(true)).toBe(1);
    await own.close();
  });

  test('a transaction there has the time limits, and doesn’t leave them to the next client', async () => {
    const { db, close } = openDatabase(pooler.urlOf(database.url), { max: 1, directUrl: database.url });
    const limits = sql`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const inside = await db.transaction().execute((tx) => limits.execute(tx));
    const outside = await limits.execute(db);
    await close();
    expect([inside.rows, outside.rows]).toEqual([
      [{ statement: '7500ms', idle: '5s' }],
      [{ statement: '0', idle: '0' }],
    ]);
  });
});
