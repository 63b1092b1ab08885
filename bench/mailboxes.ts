/**
 * The cost of mailboxes that Foyer fetches by IMAP. One with 100,000 old messages is connected for the first time,
 * compared with an empty one: no message may be fetched, and no additional command sent. And 500 mailboxes of one
 * process, each with an encrypted connection that waits for mail, compared with the same process without any: memory
 * and timers. Linux only.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createVault } from '../packages/server/src/core/vault.ts';
import type { Db } from '../packages/server/src/db/database.ts';
import { Reader } from '../packages/server/src/email/routes/imap/reader.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type ImapServer, startImapServer } from '../packages/server/test/imap-server.ts';
import { SELF_SIGNED } from '../packages/server/test/self-signed.ts';
import { contextOf } from './context.ts';
import { type Figure, interleave, NONE } from './figures.ts';
import { startFoyer, temporaryFolder, withDatabase } from './foyer.ts';
import { read } from './processes.ts';

const OLD = 100_000;
const ROUNDS = 9;
const MAILBOXES = 500;
const SECRET = 'a secret of the benchmark alone, of no use elsewhere';
const SETTLE_MS = 20_000;
const MEMORY_MAX_MB = 150;

async function addMailboxes(
  db: Db,
  siteId: number,
  { port }: ImapServer,
  { count, security, password }: { count: number; security: 'tls' | 'starttls'; password: Buffer },
): Promise<void> {
  await sql`
    insert into mailboxes (site_id, address, incoming, imap_host, imap_port, imap_security, imap_username,
      imap_password_cipher, created_at, updated_at)
    select ${siteId}, 'help' || n || '@' || ${port}::text || '.example', 'imap', '127.0.0.1', ${port}, ${security}, 'help',
      ${password}, now(), now() from generate_series(1, ${count}::int) n`.execute(db);
}

const rowsOf = (db: Db, siteId: number) =>
  db.selectFrom('mailboxes').selectAll().where('site_id', '=', siteId).execute();

/** How long a new mailbox takes to its first check, in milliseconds. */
async function connect(db: Db, server: ImapServer): Promise<number> {
  const { id: siteId } = await createSite(db, { name: 'Bench', plan: 'growth' });
  const ctx = contextOf(db, siteId, { kind: 'job' });
  const password = ctx.services.vault.seal('open');
  await addMailboxes(db, siteId, server, { count: 1, security: 'starttls', password });
  const [row] = await rowsOf(db, siteId);
  if (!row) throw new Error('no mailbox');
  const from = performance.now();
  let took = Number.NaN;
  const reader: Reader = new Reader({
    ctx,
    row: { ...row, provider: null },
    guard: { allowPrivate: true },
    tries: new Map(),
    connect: (work) => work(),
    withRoom: (work) => work(),
    onWorking() {
      took = performance.now() - from;
      reader.stop();
    },
  });
  const error = await reader.run();
  if (error !== undefined) throw error;
  await db.deleteFrom('mailboxes').where('site_id', '=', siteId).execute();
  return took;
}

async function withOldMail(): Promise<Figure> {
  const [full, empty] = [await startImapServer(), await startImapServer()];
  try {
    const raw = Buffer.from('Subject: old\r\n\r\nOld.\r\n');
    const arrivedAt = new Date('2020-01-01');
    for (let at = 0; at < OLD; at++) full.add(raw, arrivedAt);
    const seen = await withDatabase(({ db }) =>
      interleave(
        ROUNDS,
        () => connect(db, full),
        () => connect(db, empty),
      ),
    );
    if (full.fetched.length > 0) throw new Error(`${full.fetched.length} old messages were fetched`);
    const commands = full.commands / (ROUNDS + 1);
    if (full.commands !== empty.commands)
      throw new Error(`${commands} commands instead of ${empty.commands / (ROUNDS + 1)}`);
    return {
      what: `mailbox with ${OLD.toLocaleString('en')} old messages connected (${commands} commands, none fetched)`,
      ours: `${seen.ours.toFixed(1)} ms`,
      bare: `${seen.bare.toFixed(1)} ms, empty`,
      ratio: `${seen.ratio.toFixed(2)} × (${seen.lowest.toFixed(2)}–${seen.highest.toFixed(2)})`,
      wanted: 'none fetched',
    };
  } finally {
    await Promise.all([full.close(), empty.close()]);
  }
}

interface Process {
  megabytes: number;
  /**
   * Those that run, and all, with the deadlines of sockets: `imapflow` gives each one, which Node keeps in a single
   * list with a single timer.
   */
  timers: { all: number; running: number };
}

async function measure(url: string, isReady: () => Promise<boolean>): Promise<Process> {
  const folder = await temporaryFolder();
  const file = join(folder.dir, 'timers.json');
  const foyer = await startFoyer({
    DATABASE_URL: url,
    FOYER_DATA_DIR: folder.dir,
    FOYER_SECRET: SECRET,
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
    FOYER_BENCH_TIMERS: file,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'timers.ts')}`,
  });
  try {
    while (!(await isReady())) await delay(200);
    await delay(SETTLE_MS);
    const { pid = 0 } = foyer.process;
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    while (read(file) === '') await delay(50);
    return { megabytes: kilobytes / 1024, timers: JSON.parse(readFileSync(file, 'utf8')) };
  } finally {
    await foyer.stop();
    await folder.remove();
  }
}

async function many(): Promise<Figure[]> {
  const server = await startImapServer({ tls: SELF_SIGNED });
  try {
    return await withDatabase(async ({ db, url }) => {
      const { id: siteId } = await createSite(db, { name: 'Bench', plan: 'growth' });
      const without = await measure(url, async () => true);
      const password = createVault(SECRET).seal('open');
      await addMailboxes(db, siteId, server, { count: MAILBOXES, security: 'tls', password });
      const withAll = await measure(url, async () =>
        (await rowsOf(db, siteId)).every(({ checked_at }) => checked_at !== null),
      );
      const extra = withAll.megabytes - without.megabytes;
      return [
        {
          what: `${MAILBOXES} mailboxes in one process, memory`,
          ours: `${Math.round(withAll.megabytes)} MB`,
          bare: `${Math.round(without.megabytes)} MB, none`,
          ratio: `${Math.round(extra)} MB more`,
          wanted: `≤ ${MEMORY_MAX_MB} MB more`,
        },
        {
          what: '… timers that run',
          ours: String(withAll.timers.running),
          bare: String(without.timers.running),
          ratio: NONE,
          wanted: 'none for each',
        },
        {
          what: '… with those of sockets',
          ours: String(withAll.timers.all),
          bare: String(without.timers.all),
          ratio: NONE,
          wanted: NONE,
        },
      ];
    });
  } finally {
    await server.close();
  }
}

export const mailboxes = async (): Promise<Figure[]> => [await withOldMail(), ...(await many())];
