import { sql } from 'kysely';
import { pino } from 'pino';
import { createVault } from '../packages/server/src/core/vault.ts';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { createSender, type OutgoingRequest } from '../packages/server/src/net/sender.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../packages/server/src/webhooks/deliveries.ts';
import { answerParent } from './child.ts';

/** The delivery worker in a separate process, like FOYER_ROLE=worker, and its HTTP client without a database. */
type Question =
  | { work: { url: string; secret: string } }
  | { wake: true }
  | { rest: true }
  /** Returns deliveries a second from the first query until each is recorded. */
  | { drain: { url: string; secret: string } }
  /** Returns requests a second of the client alone, so many at once to each address. */
  | { send: { requests: Omit<OutgoingRequest, 'body'>[]; body: string; count: number; each: number } };

let worker: DeliveryWorker | undefined;

function workOn({ url, secret }: { url: string; secret: string }) {
  const database = openDatabase(url, { max: 10 });
  worker = createDeliveryWorker({
    db: database.db,
    log: pino({ level: 'warn' }),
    services: { vault: createVault(secret), webhooks: { allowPrivate: true } },
    delaysMs: [30_000, 120_000, 600_000, 3_600_000, 21_600_000],
    now: () => new Date(),
  });
  return database;
}

async function drain(options: { url: string; secret: string }): Promise<number> {
  const from = performance.now();
  const database = workOn(options);
  const open = async (): Promise<boolean> => {
    // By the index, which drops dead entries: the query itself must be cheap.
    const { rows } =
      await sql`select from webhook_queue order by site_id, subscription_id, next_attempt_at limit 1`.execute(
        database.db,
      );
    return rows.length > 0;
  };
  while (await open()) await new Promise((resolve) => setTimeout(resolve, 10));
  const seconds = (performance.now() - from) / 1000;
  await worker?.stop();
  await database.close();
  return seconds;
}

async function send({ requests, body, count, each }: Extract<Question, { send: object }>['send']) {
  const sender = createSender({ purpose: 'webhook', allowPrivate: true });
  const bytes = Buffer.from(body);
  const from = performance.now();
  let left = count;
  const line = async (request: Omit<OutgoingRequest, 'body'>): Promise<void> => {
    while (left-- > 0) {
      const { error } = await sender.send({ ...request, body: bytes });
      if (error !== null) throw new Error(error);
    }
  };
  await Promise.all(requests.flatMap((request) => Array.from({ length: each }, () => line(request))));
  const rate = (count / (performance.now() - from)) * 1000;
  sender.close();
  return rate;
}

answerParent<Question>(async (question) => {
  if ('drain' in question) return drain(question.drain);
  if ('send' in question) return send(question.send);
  if ('work' in question) workOn(question.work);
  else if ('wake' in question) worker?.wake();
  else await worker?.stop();
  return true;
});
