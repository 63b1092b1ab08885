import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { answerParent } from './child.ts';

/**
 * The bare side of `messages.ts`: the least that stores a chat's message once, in its order. One prepared insert
 * through a pool, into a table of its own with the two unique keys that this needs.
 */
type Question = { open: { url: string } } | { run: Load };

interface Load {
  chats: number;
  underWay: number;
  ms: number;
  text: string;
}

const CONNECTIONS = 10;
const TABLE = `create table if not exists bare_messages (
    id bigint generated always as identity primary key, chat integer not null, seq integer not null,
    client_id uuid not null, sender text not null, text text not null, created_at timestamptz not null,
    unique (chat, seq), unique (chat, client_id))`;
const INSERT = {
  name: 'insert',
  text: `insert into bare_messages (chat, seq, client_id, sender, text, created_at)
    values ($1, $2, $3, $4, $5, $6) returning id, seq, created_at`,
};

let pool: pg.Pool | undefined;
let seq = 0;

/** @returns messages a second */
async function run(on: pg.Pool, { chats, underWay, ms, text }: Load): Promise<number> {
  const from = performance.now();
  let count = 0;
  const worker = async (chat: number): Promise<void> => {
    while (performance.now() - from < ms) {
      await on.query({ ...INSERT, values: [chat, ++seq, randomUUID(), 'visitor', text, new Date()] });
      count++;
    }
  };
  await Promise.all(Array.from({ length: underWay }, (_, at) => worker(at % chats)));
  return (count / (performance.now() - from)) * 1000;
}

answerParent<Question>(async (question) => {
  if ('open' in question) {
    pool = new pg.Pool({ connectionString: question.open.url, max: CONNECTIONS });
    // PostgreSQL ends before this process.
    pool.on('error', () => undefined);
    await pool.query(TABLE);
    return CONNECTIONS;
  }
  if (!pool) throw new Error('no database');
  return run(pool, question.run);
});
