/**
 * Events over REST `track`, 32 connections, 10,000 visitors in turn. First a site without segments, compared with a
 * bare Fastify route that runs only the insert of the event through the same kind of pool on the same PostgreSQL: Foyer
 * also counts the event, stores when the visitor was seen, and checks token and limit. Then sites with 50 segments, ten
 * of which read the event, compared with one without: one whose visitors have had many such events, so that no further
 * one changes their segments, and one whose visitors have had none, so that the first one does.
 */
import type { SegmentRule } from '@foyer/protocol';
import { sql } from 'kysely';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { postmasterBehind, type World, withWorld } from './foyer.ts';
import { cpuFigure, requestedSide, type Side } from './sides.ts';
import { makeTokens } from './whoami.ts';

const ROUNDS = 5;
const VISITORS = 10_000;
const CONNECTIONS = 32;
/** A round ends before a server closes connections that are idle during the other round. */
const REQUESTS_A_ROUND = 3_000;
const PATH = '/v1/track';
const EVENT = 'looked';
/** After so many, a visitor is in every segment that counts the event. */
const EARLIER_EVENTS = 20;

interface BenchSite {
  siteId: number;
  tokens: string[];
  visitorIds: number[];
}

async function makeSite({ database }: World): Promise<BenchSite> {
  const { id: siteId } = await createSite(database.db, { name: 'Bench', plan: 'growth' });
  const { rows } = await sql<{ id: number }>`
    insert into visitors (site_id, key, name, email, attributes)
    select ${siteId}, 'user_' || n, 'Ann ' || n, 'ann' || n || '@example.com',
      jsonb_build_object('plan', case n % 2 when 0 then 'pro' else 'free' end, 'seats', n % 100)
    from generate_series(1, ${VISITORS}) n returning id`.execute(database.db);
  const tokens = await makeTokens(database, siteId, true);
  return { siteId, tokens, visitorIds: rows.map(({ id }) => id) };
}

async function addEarlierEvents({ database }: World, { siteId }: BenchSite): Promise<void> {
  await sql`
    insert into visitor_events (site_id, visitor_id, name, properties, occurred_at, created_at)
    select v.site_id, v.id, ${EVENT}, '{}', at, at
    from visitors v cross join generate_series(1, ${EARLIER_EVENTS}) n
    cross join lateral (select now() - make_interval(mins => n)) as t (at)
    where v.site_id = ${siteId}`.execute(database.db);
  await sql`update visitors set event_count = ${EARLIER_EVENTS} where site_id = ${siteId}`.execute(
    database.db,
  );
}

/** Ten read the event, with and without a window; ten read another; thirty read attributes alone. */
const ruleOf = (at: number): SegmentRule => {
  if (at < 5) return { all: [{ event: EVENT, op: 'gte', count: at * 3 + 1 }] };
  if (at < 10) {
    const seen = { event: EVENT, op: 'gte', count: at, within_days: at } as const;
    return { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }, seen] };
  }
  if (at < 20) return { any: [{ event: `event ${at}`, op: 'gte', count: 1, within_days: 30 }] };
  return {
    all: [
      { attribute: 'seats', op: 'gt', value: at },
      { attribute: 'email', op: 'set' },
    ],
  };
};

async function makeSegments({ foyer }: World, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let at = 0; at < 50; at++) {
    const body = JSON.stringify({ name: `segment ${at}`, rule: ruleOf(at) });
    const answer = await fetch(`${foyer.url}/v1/segments`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`${foyer.url}/v1/segments?limit=200`, { headers });
    const { data } = (await answer.json()) as { data: { ready: boolean }[] };
    return data.every(({ ready }) => ready);
  };
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200));
}

const openLoad = (load: Child, url: string, { tokens }: BenchSite): Promise<unknown> => {
  const bodies = Array.from({ length: VISITORS }, (_, at) =>
    JSON.stringify({ key: `user_${at + 1}`, name: EVENT, properties: { page: '/lamps', position: at } }),
  );
  return load.ask({ open: { url, path: PATH, tokens, bodies, connections: CONNECTIONS } });
};

export async function track(): Promise<Figure[]> {
  const loads = Array.from({ length: 4 }, () => startChild('http-load.ts'));
  const server = startChild('track-bare.ts');
  try {
    return await withWorld((world) => compare(world, server, loads));
  } finally {
    for (const child of [...loads, server]) await child.stop();
  }
}

async function compare(
  world: World,
  server: Child,
  [plain, bare, settled, busy]: readonly Child[],
): Promise<Figure[]> {
  if (!plain || !bare || !settled || !busy) throw new Error('too few clients');
  const [without, rival] = [await makeSite(world), await makeSite(world)];
  const [known, segmented] = [await makeSite(world), await makeSite(world)];
  await addEarlierEvents(world, known);
  await sql`vacuum analyze`.execute(world.database.db);
  const { siteId, visitorIds } = rival;
  const url = await server.ask<string>({
    serve: { database: world.database.url, siteId, visitorIds, path: PATH },
  });
  await openLoad(plain, world.foyer.url, without);
  await openLoad(bare, url, rival);
  const postgres = await postmasterBehind(world.database);
  const side = (pid: number, load: Child): Side => requestedSide(pid, postgres, load, REQUESTS_A_ROUND);
  const pid = world.foyer.process.pid ?? 0;
  const [ours, least] = [side(pid, plain), side(server.pid, bare)];
  const alone = await interleave(ROUNDS, ours.round, least.round);
  const besideNone = async (what: string, site: BenchSite, load: Child): Promise<Figure[]> => {
    await makeSegments(world, site.tokens[0] ?? '');
    await openLoad(load, world.foyer.url, site);
    // The first event after a rule was made may still set when the visitor is evaluated next.
    if (site === known) await load.ask({ run: { requests: VISITORS } });
    const [many, none] = [side(pid, load), side(pid, plain)];
    const rates = await interleave(ROUNDS, many.round, none.round);
    return [rateFigure(what, rates, '≥ 50 %'), cpuFigure('… CPU of each', many, none)];
  };
  return [
    rateFigure('track over REST, against the bare insert', alone, '≥ 60 %'),
    cpuFigure('… CPU of each', ours, least),
    ...(await besideNone('track with 50 segments, against none', known, settled)),
    ...(await besideNone('… the first event of each visitor', segmented, busy)),
  ];
}
