/**
 * A list of 25 tickets out of 1,000,000 over REST: its rate, and the CPU time of Foyer and PostgreSQL for each, compared
 * with the least that gives the same answer (`lists-bare.ts`); the slowest of a hundred compared with the same lists of a
 * site with 10,000; and the 10,000th page with the first. Large and small, first and deep are requested in turn, so that
 * other load on the machine affects both equally.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Child, startChild } from './child.ts';
import { type Figure, interleave, median, ms, quantile, rateFigure } from './figures.ts';
import { postmasterBehind } from './foyer.ts';
import type { Timed } from './list-load.ts';
import { type SeededSite, type SeededWorld, seededWorld } from './seeded-world.ts';
import { cpuFigure, type Side, sideOf } from './sides.ts';

const ROUNDS = 3;
const CONNECTIONS = 16;
const REQUESTS_A_ROUND = 2_000;
/** Of each list of each site, one at a time. */
const TIMED_ROUNDS = 12;
const PAGE = 25;
const DEEP_PAGE = 10_000;
const DEEP_ROUNDS = 200;
/** Pages on the way to the deep one. */
const STRIDE = 200;

type Query = Record<string, string>;

/** Filters for triage, the same for every site. */
const filtersOf = ({ agentIds }: SeededSite): Record<string, Query> => ({
  none: {},
  status: { status: 'open' },
  assignee: { assignee_id: String(agentIds[3]) },
  tag: { tag: 'tag-5' },
  priority: { priority: 'urgent' },
  requester: { requester_key: 'user_1' },
});
const SORTS = ['-created', 'created', '-updated', '-priority'];

const pathOf = (query: Query): string =>
  `/v1/tickets?${new URLSearchParams({ limit: String(PAGE), ...query })}`;

/** Every token of the site in turn. */
export const askedOf = ({ tokens }: SeededSite, paths: string[], count = paths.length) =>
  Array.from({ length: count }, (_, at) => ({
    path: paths[at % paths.length] ?? '',
    token: tokens[at % tokens.length] ?? '',
  }));

/** Compares what both answer: a bare side that reads less would prove nothing. */
async function compareAnswers({ foyer, big }: SeededWorld, path: string, bare: string): Promise<void> {
  const [token = ''] = big.tokens;
  const [ours, least] = await Promise.all([
    fetch(foyer.url + path, { headers: { authorization: `Bearer ${token}` } }),
    fetch(bare),
  ]);
  const of = async (answer: Response): Promise<unknown[]> =>
    ((await answer.json()) as { data: unknown[] }).data;
  const tickets = await of(ours);
  if (tickets.length !== PAGE) throw new Error(`${path} has ${tickets.length} tickets`);
  if (!isDeepStrictEqual(tickets, await of(least))) throw new Error(`${path} and ${bare} differ`);
}

async function rates(world: SeededWorld, load: Child, server: Child): Promise<Figure[]> {
  const { foyer, database, big } = world;
  const postgres = await postmasterBehind(database);
  const filters = filtersOf(big);
  const bare = await server.ask<string>({ serve: { url: database.url, siteId: big.siteId, filters } });
  const side = (pid: number, url: string, path: string): Side =>
    sideOf(pid, postgres, async () => {
      const asked = askedOf(big, [path], REQUESTS_A_ROUND);
      const run = { url, asked, connections: CONNECTIONS, rounds: 1 };
      const { rate, failures } = await load.ask<Timed>({ run });
      if (failures.some((count) => count > 0)) throw new Error(`${path} was refused`);
      return { rate, operations: REQUESTS_A_ROUND };
    });
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(filters)) {
    await compareAnswers(world, pathOf(query), `${bare}/${name}`);
    const ours = side(foyer.process.pid ?? 0, foyer.url, pathOf(query));
    const least = side(server.pid, bare, `/${name}`);
    const seen = await interleave(ROUNDS, ours.round, least.round);
    const what = name === 'none' ? '25 of 1,000,000 tickets, no filter' : `… by ${name}`;
    figures.push(rateFigure(what, seen, '≥ 75 %'), cpuFigure('… CPU of each', ours, least));
  }
  return figures;
}

async function sizes({ foyer, small, big }: SeededWorld, load: Child): Promise<Figure> {
  const paths = (site: SeededSite): string[] =>
    SORTS.flatMap((sort) => Object.values(filtersOf(site)).map((query) => pathOf({ sort, ...query })));
  const [large, little] = [askedOf(big, paths(big)), askedOf(small, paths(small))];
  const asked = large.flatMap((one, at) => [one, little[at] ?? one]);
  const run = { url: foyer.url, asked, connections: 1, rounds: TIMED_ROUNDS };
  await load.ask({ run: { ...run, rounds: 1 } });
  const { times } = await load.ask<Timed>({ run });
  const [atBig, atSmall] = [0, 1].map((odd) =>
    quantile(times.filter((_, at) => at % 2 === odd).flat(), 0.99),
  );
  return {
    what: 'the same in four orders, p99, against 10,000 tickets',
    ours: ms(atBig ?? 0),
    bare: ms(atSmall ?? 0),
    ratio: `${((atBig ?? 0) / (atSmall ?? 1)).toFixed(2)} ×`,
    wanted: '≤ 1.5 ×',
  };
}

interface ListAnswer {
  page: { next_cursor: string | null };
}

/** Goes there page by page, using only cursors. */
async function deepCursor({ foyer, big }: SeededWorld, query: Query): Promise<string> {
  let cursor = '';
  for (let page = 0; page < ((DEEP_PAGE - 1) * PAGE) / STRIDE; page++) {
    const left = (DEEP_PAGE - 1) * PAGE - page * STRIDE;
    const wanted = { ...query, limit: String(Math.min(STRIDE, left)), ...(cursor ? { cursor } : {}) };
    const authorization = `Bearer ${big.tokens[page % big.tokens.length]}`;
    const answer = await fetch(foyer.url + pathOf(wanted), { headers: { authorization } });
    const found = (JSON.parse(await answer.text()) as ListAnswer).page;
    if (found.next_cursor === null) throw new Error(`there is no page ${DEEP_PAGE}`);
    cursor = found.next_cursor;
  }
  return cursor;
}

async function depth(world: SeededWorld, load: Child, name: string, query: Query): Promise<Figure> {
  const paths = [pathOf(query), pathOf({ ...query, cursor: await deepCursor(world, query) })];
  const run = { url: world.foyer.url, asked: askedOf(world.big, paths), connections: 1, rounds: DEEP_ROUNDS };
  const { times } = await load.ask<Timed>({ run });
  const [first, deep] = times.map(median);
  return {
    what: `page 10,000 against the first, ${name}, median`,
    ours: ms(deep ?? 0),
    bare: ms(first ?? 0),
    ratio: `${((deep ?? 0) / (first ?? 1)).toFixed(2)} ×`,
    wanted: 'about 1 ×',
  };
}

export async function lists(): Promise<Figure[]> {
  const world = await seededWorld();
  const children = [startChild('list-load.ts'), startChild('lists-bare.ts')] as const;
  try {
    const [load, server] = children;
    return [
      ...(await rates(world, load, server)),
      await sizes(world, load),
      await depth(world, load, 'no filter', {}),
      await depth(world, load, 'status', { status: 'closed' }),
    ];
  } finally {
    for (const child of children) await child.stop();
  }
}
