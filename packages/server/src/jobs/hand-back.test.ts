import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobDefinition } from '../core/job.ts';
import { openQueue } from './queue.ts';

const ground = useGround();

test('a job that outlives the stop goes to another worker, as if it had not been tried, and nothing is logged', async () => {
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
