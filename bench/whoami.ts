/**
 * `whoami` over REST, compared with a bare Fastify route that returns the same bytes, headers included. The load uses
 * 32 and 128 keep-alive connections, one request at a time each, from a separate process. Foyer counts and limits each
 * token, so the load uses 1,000 tokens of the growth plan in turn, at most its 600 requests a minute for each.
 */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { postmasterBehind, type World, withWorld } from './foyer.ts';
import { cpuFigure, requestedSide, type Side } from './sides.ts';

const TOKENS = 1_000;
const ROUNDS = 5;
/** The warm-up and the rounds stay below the tokens' limit per minute. */
const REQUESTS_A_ROUND = 30_000;
const CONNECTIONS = [32, 128];

export async function whoami(): Promise<Figure[]> {
  const children = [
    startChild('http-load.ts'),
    startChild('http-load.ts'),
    startChild('whoami-bare.ts'),
  ] as const;
  try {
    return await withWorld((world) => compare(world, ...children));
  } finally {
    for (const child of children) await child.stop();
  }
}

/** Created by a statement: the operation allows at most 100 per site. */
export async function makeTokens(
  { db }: World['database'],
  siteId: number,
  canWrite = false,
): Promise<string[]> {
  const tokens = Array.from({ length: TOKENS }, () => `foy_${randomBytes(32).toString('base64url')}`);
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await sql`
    insert into api_tokens (site_id, name, token_hash, hint, can_write)
    select ${siteId}, 'bench', hash, 'none', ${canWrite} from unnest(${hashes}::bytea[]) as hash`.execute(db);
  return tokens;
}

async function compare(
  { foyer, database }: World,
  ours: Child,
  bare: Child,
  server: Child,
): Promise<Figure[]> {
  const { id } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
  const tokens = await makeTokens(database, id);
  const path = '/v1/api.ashx?resource=whoami';
  const answer = await fetch(foyer.url + path, { headers: { authorization: `Bearer ${tokens[0]}` } });
  const headers = Object.fromEntries(answer.headers);
  const url = await server.ask<string>({
    serve: { path: '/v1/api.ashx', headers, body: await answer.text() },
  });

  const postgres = await postmasterBehind(database);
  const side = (pid: number, load: Child): Side => requestedSide(pid, postgres, load, REQUESTS_A_ROUND);
  const figures: Figure[] = [];
  let open = 0;
  for (const wanted of CONNECTIONS) {
    const connections = wanted - open;
    await ours.ask({ open: { url: foyer.url, path, tokens, connections } });
    await bare.ask({ open: { url, path, tokens, connections } });
    open = wanted;
    const [foyers, least] = [side(foyer.process.pid ?? 0, ours), side(server.pid, bare)];
    const seen = await interleave(ROUNDS, foyers.round, least.round);
    figures.push(rateFigure(`whoami over REST, ${wanted} connections`, seen, '≥ 50 %'));
    figures.push(cpuFigure('… CPU of each', foyers, least));
  }
  return figures;
}
