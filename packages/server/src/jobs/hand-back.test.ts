import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import { silentLog } from '../../test/harness.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobDefinition } from '../core/job.ts';
import { dueKinds, openQueue } from './queue.ts';

const ground = useGround();

test('a job that outlives the stop goes to another worker, without counting an attempt, and nothing is logged', async () => {
  const ctx = await ground.makeSite();
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  let begun = 0;
  let gaveUp = 0;
  const starts = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const job: JobDefinition = {
    name: 'bot.evaluate',
    // Each attempt is the last one.
    retries: { limit: 0, delayS: 0, maxDelayS: 0 },
    async run() {
      begun++;
      if (begun > 1) return finished.resolve();
      starts.resolve();
      await ends.promise;
      throw new Error('the database was closed');
    },
    async giveUp() {
      gaveUp++;
    },
  } as JobDefinition;
  const open = () => openQueue({ url: ground.url }, [job], log);
  const contextFor = async (): Promise<SiteContext> => Object.create(ctx, { log: { value: log } });
  const first = await open();
  await first.work([job], contextFor);
  await first.send(ctx.db, job.name, { site_id: ctx.site.id }, {});
  await starts.promise;
  await first.stop();
  const { rows } = await sql`select state, output from foyer_jobs.job where name = ${job.name}`.execute(
    ctx.db,
  );
  expect(rows).toMatchObject([{ state: 'retry' }]);
  ends.resolve();
  const second = await open();
  onTestFinished(() => second.stop());
  await second.work([job], contextFor);
  await finished.promise;
  expect({ begun, gaveUp, logged }).toEqual({ begun: 2, gaveUp: 0, logged: [] });
});

test('a queue of an earlier version gets the options of this one, and is left alone after that', async () => {
  const kind = { name: 'bot.evaluate', retries: { limit: 7, delayS: 3, maxDelayS: 40 }, expireS: 90 };
  const stored = async () => {
    const { rows } = await sql<object>`
      select retry_limit, retry_delay, retry_delay_max, expire_seconds, updated_on from foyer_jobs.queue
      where name = ${kind.name}`.execute((await ground.makeSite()).db);
    return rows;
  };
  const start = async (): Promise<void> => (await openQueue({ url: ground.url }, [kind], silentLog)).stop();
  await start();
  const [first] = await stored();
  expect(first).toMatchObject({ retry_limit: 7, retry_delay: 3, retry_delay_max: 40, expire_seconds: 90 });
  await start();
  expect(await stored()).toEqual([first]);
});

test('a due job is reported for its own kind alone', async () => {
  const ctx = await ground.makeSite();
  const kinds = ['bot.answer', 'bot.evaluate', 'bot.group_gaps'];
  const queue = await openQueue(
    { url: ground.url },
    kinds.map((name) => ({ name })),
    silentLog,
  );
  onTestFinished(() => queue.stop());
  const pool = new pg.Pool({ connectionString: ground.url });
  onTestFinished(() => pool.end());
  const due = () => dueKinds({ executeSql: (text, values) => pool.query(text, values) }, kinds);
  expect(await due()).toEqual([]);
  await queue.send(ctx.db, 'bot.evaluate', { site_id: ctx.site.id }, {});
  await queue.send(ctx.db, 'bot.answer', { site_id: ctx.site.id }, { startAfterS: 600 });
  expect(await due()).toEqual(['bot.evaluate']);
});
