import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { type RunningFoyer, startFoyer, temporaryFolder } from './foyer.ts';
import { seed } from './seed.ts';

const TOKENS = 500;
/** The same for every run, which a database that is kept requires. */
const SECRET = 'a secret that only benchmarks know';

export interface SeededSite {
  siteId: number;
  tickets: number;
  firstTicket: number;
  agentIds: number[];
  tokens: string[];
}

export interface SeededWorld {
  foyer: RunningFoyer;
  database: Database;
  /** 10,000 tickets, and 1,000,000. */
  small: SeededSite;
  big: SeededSite;
}

let world: Promise<SeededWorld> | undefined;
const undo: (() => Promise<void>)[] = [];

/** By a statement, and many: a token may ask 600 times a minute. */
async function makeTokens({ db }: Database, siteId: number): Promise<string[]> {
  const tokens = Array.from({ length: TOKENS }, () => `foy_${randomBytes(32).toString('base64url')}`);
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await sql`
    insert into api_tokens (site_id, name, token_hash, hint, can_write)
    select ${siteId}, 'bench', hash, 'none', false from unnest(${hashes}::bytea[]) as hash`.execute(db);
  return tokens;
}

/** Finds the site by its name, or else creates it. */
async function siteOf(database: Database, tickets: number): Promise<SeededSite> {
  const name = `Bench ${tickets}`;
  const find = () => database.db.selectFrom('sites').select('id').where('name', '=', name).executeTakeFirst();
  if (!(await find())) {
    const { ms } = await seed(database.url, { tickets, name });
    console.error(
      `${tickets.toLocaleString('en')} tickets, replies and visitors in ${(ms / 1000).toFixed(0)} s`,
    );
  }
  const siteId = (await find())?.id ?? 0;
  const { rows } = await sql<{ first: number; agents: number[] }>`
    select (select id from tickets where site_id = ${siteId} order by id limit 1) as first,
      (select array_agg(id::int order by id) from agents where site_id = ${siteId}) as agents`.execute(
    database.db,
  );
  const { first = 0, agents = [] } = rows[0] ?? {};
  return {
    siteId,
    tickets,
    firstTicket: first,
    agentIds: agents,
    tokens: await makeTokens(database, siteId),
  };
}

async function open(): Promise<SeededWorld> {
  const folder = await temporaryFolder();
  undo.push(folder.remove);
  let url = process.env.FOYER_BENCH_DATABASE;
  if (url === undefined) {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, log: () => undefined });
    undo.push(() => postgres.stop());
    url = postgres.url;
  }
  await migrateAt(url);
  const database = openDatabase(url, { patient: true });
  undo.push(() => database.close());
  const [small, big] = [await siteOf(database, 10_000), await siteOf(database, 1_000_000)];
  const own = await temporaryFolder();
  undo.push(own.remove);
  const foyer = await startFoyer({ DATABASE_URL: url, FOYER_DATA_DIR: own.dir, FOYER_SECRET: SECRET });
  undo.push(() => foyer.stop());
  return { foyer, database, small, big };
}

/**
 * A server with two sites that `seed.ts` has filled, for all benchmarks of a run: filling takes minutes. In a new
 * PostgreSQL, or in the database of FOYER_BENCH_DATABASE, which keeps them for the next run.
 */
export function seededWorld(): Promise<SeededWorld> {
  world ??= open();
  return world;
}

export async function closeSeededWorld(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}
