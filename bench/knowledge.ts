/**
 * An import of 5 MiB by the command line's operation: 10,000 new articles, the same again, and all of them changed.
 * Then pages of the help centre with those 10,000, over HTTP: the front page, 250 articles, each with an empty and a
 * warm cache, and searches. One request at a time.
 */
import type { SiteContext } from '../packages/server/src/core/context.ts';
import { importArticles } from '../packages/server/src/knowledge/transfer/import.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { contextOf } from './context.ts';
import { type Figure, ms, NONE, quantile } from './figures.ts';
import { type World, withWorld } from './foyer.ts';

const ARTICLES = 10_000;
const IMPORT_BYTES = 5 * 1024 * 1024;
const CATEGORIES = 40;
/** Fewer than one address may request in a minute. */
const PAGES = 250;
const IMPORT_WANTED = '< 5 s';

const WORDS = 'lamp order parcel return linen shade cable bulb invoice account delivery refund'.split(' ');

/** 10,000 documents that together are as large as one import may be. */
function blob(word: string): string {
  const room = Math.floor(IMPORT_BYTES / ARTICLES) - 120;
  return Array.from({ length: ARTICLES }, (_, at) => {
    const about = Array.from(
      { length: 60 },
      (_, place) => WORDS[(at * 7 + place * place) % WORDS.length],
    ).join(' ');
    const text = `${word} ${about}. `.repeat(2).slice(0, room);
    return `category: Category ${at % CATEGORIES}\nstatus: Published\n---\n# How ${WORDS[at % WORDS.length]} ${at} works\n\n${text}`;
  }).join('\n---\n');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const seconds = (time: number): string => `${(time / 1000).toFixed(1)} s`;

async function imports(ctx: SiteContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, word] of [
    ['new', 'one'],
    ['the same again', 'one'],
    ['all changed', 'two'],
  ] as const) {
    const text = blob(word);
    const time = await timed(() => importArticles(ctx, text));
    const size = `${(Buffer.byteLength(text) / 1024 / 1024).toFixed(1)} MiB`;
    figures.push({
      what: `import of ${ARTICLES} articles, ${size}, ${what}`,
      ours: seconds(time),
      bare: NONE,
      ratio: NONE,
      wanted: IMPORT_WANTED,
    });
  }
  return figures;
}

async function pages({ foyer }: World, publicKey: string): Promise<Figure[]> {
  const help = `${foyer.url}/help/${publicKey}`;
  const get = async (path: string): Promise<void> => {
    const answer = await fetch(help + path);
    await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  const paths = Array.from(
    { length: PAGES },
    (_, at) => `/articles/how-${WORDS[at % WORDS.length]}-${at}-works`,
  );
  const all = async (list: readonly string[]): Promise<number[]> => {
    const times: number[] = [];
    for (const path of list) times.push(await timed(() => get(path)));
    return times;
  };
  const first = await timed(() => get(''));
  const fresh = await all(paths);
  const again = await all(paths);
  const searched = await all(
    WORDS.flatMap((word) => [`/search?q=${word}`, `/search?q=${word.slice(0, 3)}`, `/search?q=how+${word}`]),
  );
  const figure = (what: string, times: readonly number[]): Figure => ({
    what: `help centre of ${ARTICLES} articles, ${what}, p50 and p99`,
    ours: `${ms(quantile(times, 0.5))}, ${ms(quantile(times, 0.99))}`,
    bare: NONE,
    ratio: NONE,
    wanted: NONE,
  });
  return [
    { what: 'help centre, its first page ever', ours: ms(first), bare: NONE, ratio: NONE, wanted: NONE },
    figure('an article, first asked for', fresh),
    figure('an article, again', again),
    figure('a search', searched),
  ];
}

export function knowledge(): Promise<Figure[]> {
  return withWorld(async (world) => {
    const { id, publicKey } = await createSite(world.database.db, { name: 'Bench', plan: 'growth' });
    return [...(await imports(contextOf(world.database.db, id))), ...(await pages(world, publicKey))];
  });
}
