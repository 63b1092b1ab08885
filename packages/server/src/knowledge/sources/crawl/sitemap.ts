import { setImmediate as breathe } from 'node:timers/promises';
import { SaxesParser } from 'saxes';

/** The entries of a sitemap. */
export interface Sitemap {
  readonly pages: readonly string[];
  /** Of a sitemap index. */
  readonly sitemaps: readonly string[];
}

/** Characters that are parsed before other work gets its turn. */
const STEP_CHARS = 64 * 1024;
/** More addresses are not read; those of other sites count too. */
const LISTED_MAX = 50_000;
const ADDRESS_MAX_CHARS = 2_000;

/**
 * Reads a sitemap or sitemap index in XML, or a list with one address per line. From an error on, the rest is ignored;
 * what came before is kept.
 * @returns undefined for anything else
 */
export async function readSitemap(text: string): Promise<Sitemap | undefined> {
  const body = text.replace(/^\uFEFF/, '').trimStart();
  return body.startsWith('<') ? readXml(body) : readLines(body);
}

function readLines(body: string): Sitemap | undefined {
  const pages = body
    .split('\n', LISTED_MAX)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= ADDRESS_MAX_CHARS);
  return pages.length > 0 && pages.every((line) => /^https?:\/\//i.test(line))
    ? { pages, sitemaps: [] }
    : undefined;
}

async function readXml(body: string): Promise<Sitemap | undefined> {
  const listed: Record<'url' | 'sitemap', string[]> = { url: [], sitemap: [] };
  const path: string[] = [];
  let root: string | undefined;
  let address = '';
  let isFaulty = false;
  const parser = new SaxesParser();
  parser.on('error', () => {
    isFaulty = true;
  });
  parser.on('opentag', ({ name }) => {
    root ??= name;
    path.push(name);
    address = '';
  });
  parser.on('text', (text) => {
    if (path.at(-1) === 'loc' && address.length <= ADDRESS_MAX_CHARS) address += text;
  });
  parser.on('cdata', (text) => {
    if (path.at(-1) === 'loc' && address.length <= ADDRESS_MAX_CHARS) address += text;
  });
  parser.on('closetag', ({ name }) => {
    const entry = path.at(-2);
    // Pictures and videos of a page have addresses too, deeper within.
    if (name === 'loc' && path.length === 3 && (entry === 'url' || entry === 'sitemap') && !isFaulty)
      if (address.trim().length <= ADDRESS_MAX_CHARS) listed[entry].push(address.trim());
    path.pop();
  });
  const isEnough = (): boolean => isFaulty || listed.url.length + listed.sitemap.length >= LISTED_MAX;
  for (let at = 0; at < body.length && !isEnough(); at += STEP_CHARS) {
    parser.write(body.slice(at, at + STEP_CHARS));
    await breathe();
  }
  if (root !== 'urlset' && root !== 'sitemapindex') return undefined;
  return { pages: listed.url, sitemaps: listed.sitemap };
}
