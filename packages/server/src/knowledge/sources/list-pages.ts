import {
  KNOWLEDGE_DOCUMENTS_MAX,
  SITEMAP_PAGES_MAX,
  SOURCE_URL_MAX,
  type SourceProblem,
} from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { isSameSite, pageUrl } from './crawl/addresses.ts';
import { unpack } from './crawl/exchange.ts';
import { readSitemap, type Sitemap } from './crawl/sitemap.ts';
import { type Leased, renewLease } from './leases.ts';

/** The limit of any response, and of a decompressed sitemap. */
const FILE_MAX_BYTES = 7 * 1024 * 1024;
const UNPACKED_MAX_BYTES = 50 * 1024 * 1024;
/** Sitemaps of an index. */
const FILES_MAX = 50;
const GZIP = Buffer.from([0x1f, 0x8b]);
/** A page that was read this recently isn't read again because another page of the sitemap is. */
const FRESH_MS = 20 * 3_600_000;

interface Listed {
  readonly pages: readonly string[];
  /** The sitemap has more pages. */
  readonly isCut: boolean;
  /** A part of the list couldn't be read. */
  readonly isPartial: boolean;
}

type Read = { readonly sitemap: Sitemap } | { readonly problem: SourceProblem };

async function readFile({ services }: SiteContext, address: string): Promise<Read> {
  const fetched = await services.crawler.get(address, { maxBytes: FILE_MAX_BYTES });
  if (fetched.kind === 'unchanged') return { problem: 'server_error' };
  if (fetched.kind !== 'content') return { problem: fetched.problem };
  const { content } = fetched;
  const isPacked = content.subarray(0, GZIP.length).equals(GZIP);
  const text = isPacked ? await unpack(content, 'gzip', UNPACKED_MAX_BYTES).catch(() => undefined) : content;
  if (text === undefined) return { problem: 'too_large' };
  const sitemap = await readSitemap(text.toString('utf8'));
  return sitemap ? { sitemap } : { problem: 'not_sitemap' };
}

/** The pages of a sitemap, and of those that it lists, as far as they are of its own site. */
async function listed(
  ctx: SiteContext,
  address: string,
  renew: () => Promise<boolean>,
): Promise<Listed | { problem: SourceProblem } | undefined> {
  const first = await readFile(ctx, address);
  if ('problem' in first) return first;
  const home = new URL(address);
  const ownOf = (addresses: readonly string[]): string[] =>
    addresses.flatMap((one) => {
      const url = pageUrl(one, address);
      return url && isSameSite(home, url) && url.href.length <= SOURCE_URL_MAX ? [url.href] : [];
    });
  const pages = new Set(ownOf(first.sitemap.pages));
  const files = [...new Set(ownOf(first.sitemap.sitemaps))].filter((one) => one !== address);
  let isPartial = files.length > FILES_MAX;
  for (const file of files.slice(0, FILES_MAX)) {
    if (pages.size > SITEMAP_PAGES_MAX) break;
    if (!(await renew())) return undefined;
    const read = await readFile(ctx, file);
    if ('problem' in read) isPartial = true;
    else for (const page of ownOf(read.sitemap.pages)) pages.add(page);
  }
  return { pages: [...pages], isCut: pages.size > SITEMAP_PAGES_MAX, isPartial };
}

/**
 * Reads the current pages of a sitemap: new ones become documents, and pages that are gone are removed. If it can't be
 * read, nothing changes.
 * @returns false if the lease was lost
 */
export async function listPages(ctx: SiteContext, source: Leased): Promise<boolean> {
  const renew = (): Promise<boolean> => renewLease(ctx, source);
  const found = await listed(ctx, source.address, renew);
  if (found === undefined) return false;
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    if ('problem' in found)
      return renewLease(tx, source, sql`, list_due = false, problem = ${found.problem}`);
    const change = sql`, list_due = false, problem = null, is_cut = ${found.isCut}`;
    if (!(await renewLease(tx, source, change))) return false;
    const kept = found.pages.slice(0, SITEMAP_PAGES_MAX);
    if (!found.isPartial) await dropOthers(tx, source.id, kept);
    await addPages(tx, source.id, kept);
    await markCut(tx, source.id, kept.length);
    await markDue(tx, source.id);
    return true;
  });
}

/** Pages beyond the first SITEMAP_PAGES_MAX are removed too. */
async function dropOthers(tx: SiteContext, sourceId: number, pages: readonly string[]): Promise<void> {
  const { rows } = await sql<{ passages: number }>`
    delete from knowledge_documents
    where site_id = ${tx.site.id} and source_id = ${sourceId} and not (address = any (${[...pages]}::text[]))
    returning passages`.execute(tx.db);
  if (rows.some(({ passages }) => passages > 0)) await nextVersion(tx);
}

async function addPages(tx: SiteContext, sourceId: number, pages: readonly string[]): Promise<void> {
  await sql`
    insert into knowledge_documents (site_id, source_id, address, title, created_at)
    select ${tx.site.id}, ${sourceId}, page.address, page.address, ${tx.now()}
    from unnest(${[...pages]}::text[]) with ordinality page (address, place)
    where not exists (
      select from knowledge_documents d
      where d.site_id = ${tx.site.id} and d.source_id = ${sourceId} and d.address = page.address)
    order by page.place
    limit greatest(0, ${KNOWLEDGE_DOCUMENTS_MAX} - (
      select count(*) from knowledge_documents where site_id = ${tx.site.id}))`.execute(tx.db);
}

/** The site may have no room for all of them. */
async function markCut(tx: SiteContext, sourceId: number, pages: number): Promise<void> {
  await sql`
    update knowledge_sources set is_cut = true
    where site_id = ${tx.site.id} and id = ${sourceId} and ${pages} > (
      select count(*) from knowledge_documents where site_id = ${tx.site.id} and source_id = ${sourceId})`.execute(
    tx.db,
  );
}

async function markDue(tx: SiteContext, sourceId: number): Promise<void> {
  const before = new Date(tx.now().getTime() - FRESH_MS);
  await sql`
    update knowledge_documents set due = true
    where site_id = ${tx.site.id} and source_id = ${sourceId}
      and (read_at is null or read_at < ${before} or state <> 'ready')`.execute(tx.db);
}
