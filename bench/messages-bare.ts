import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { answerParent } from './child.ts';

/** The bare side of `messages.ts`: the recorded statements, and nothing else, through the server's kind of pool. */
export interface Recorded {
  /** Placeholder in the statements for each message's own values. */
  clientId: string;
  statements: { text: string; values: unknown[] }[];
}
type Question = { take: { url: string; recorded: Recorded[] } } | { run: { depth: number; ms: number } };

let database: Database | undefined;
let transactions: Recorded[] = [];

async function once(pool: Database['pool'], { clientId, statements }: Recorded): Promise<void> {
  const fresh = randomUUID();
  const client = await pool.connect();
  try {
    // As the server sends them: text and values, so that prepared statements are prepared here too.
    for (const { text, values } of statements)
      await client.query(
        text,
        values.map((value) => (value === clientId ? fresh : value)),
      );
  } finally {
    client.release();
  }
}

/** @returns transactions a second. */
async function run(pool: Database['pool'], depth: number, ms: number): Promise<number> {
  const from = performance.now();
  let count = 0;
  const worker = async (transaction: Recorded): Promise<void> => {
    while (performance.now() - from < ms) {
      await once(pool, transaction);
      count++;
    }
  };
  await Promise.all(
    transactions.flatMap((transaction) => Array.from({ length: depth }, () => worker(transaction))),
  );
  return (count / (performance.now() - from)) * 1000;
}

answerParent<Question>(async (question) => {
  if ('take' in question) {
    transactions = question.take.recorded;
    database ??= openDatabase(question.take.url);
    return transactions.length;
  }
  if (!database) throw new Error('no database');
  return run(database.pool, question.run.depth, question.run.ms);
});
