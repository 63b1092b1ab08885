import { createHash } from 'node:crypto';
import type { SourceProblem } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import type { Fetched } from './crawl/crawler.ts';
import { hasRoomFor } from './documents.ts';
import { extractPage } from './extract/extract-file.ts';
import type { Extracted } from './extract/extracted.ts';
import { type Leased, renewLease } from './leases.ts';
import { passagesIn } from './read-file.ts';

/** Of a page, or a file at an address. */
const PAGE_MAX_BYTES = 5 * 1024 * 1024;

interface DuePage {
  readonly id: number;
  readonly address: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string | null;
  readonly passages: number;
}

/** The next page of a source to read; undefined when all were. */
async function nextPage({ db, site }: SiteContext, sourceId: number): Promise<DuePage | undefined> {
  const { rows } = await sql<DuePage>`
    select id, address, etag, last_modified, content_hash, passages from knowledge_documents
    where site_id = ${site.id} and source_id = ${sourceId} and due order by id limit 1`.execute(db);
  return rows[0];
}

/**
 * Reads one page of a source.
 * @returns whether there was one; false also if the lease was lost
 */
export async function readNextPage(ctx: SiteContext, source: Leased): Promise<boolean> {
  const page = await nextPage(ctx, source.id);
  if (!page) return false;
  // Without text, there is nothing that a response "not changed" could refer to.
  const known = page.passages > 0 ? { etag: page.etag, lastModified: page.last_modified } : {};
  const fetched = await ctx.services.crawler.get(page.address, { ...known, maxBytes: PAGE_MAX_BYTES });
  const outcome = await outcomeOf(page, fetched);
  return ctx.transaction(async (tx) => {
    // Locked first, as for every change of the knowledge, so that the order of locks is the same everywhere.
    await lockKnowledge(tx);
    if (!(await renewLease(tx, source))) return false;
    await store(tx, page, outcome);
    return true;
  });
}

type Content = Extract<Fetched, { kind: 'content' }>;
type Text = Exclude<Extracted, { problem: SourceProblem }>;

type Outcome =
  | { readonly kind: 'unchanged'; readonly from?: Content }
  | { readonly kind: 'text'; readonly text: Text; readonly from: Content; readonly hash: string }
  | { readonly kind: 'gone' | 'failed'; readonly problem: SourceProblem };

async function outcomeOf(page: DuePage, fetched: Fetched): Promise<Outcome> {
  if (fetched.kind !== 'content') return fetched;
  const hash = createHash('sha256').update(fetched.content).digest('hex');
  if (page.passages > 0 && hash === page.content_hash) return { kind: 'unchanged', from: fetched };
  const { url, contentType } = fetched;
  const text = await extractPage(fetched.content, { url, contentType });
  if (!('problem' in text)) return { kind: 'text', text, from: fetched, hash };
  // That reading the new page was too costly says nothing about the former text.
  return { kind: text.problem === 'too_complex' ? 'failed' : 'gone', problem: text.problem };
}

async function store(tx: SiteContext, page: DuePage, outcome: Outcome): Promise<void> {
  await sql`
    update knowledge_documents set due = false, ${await changeOf(tx, page, outcome)}
    where site_id = ${tx.site.id} and id = ${page.id}`.execute(tx.db);
}

/** The document's columns. The version increases only when the text changes. */
async function changeOf(tx: SiteContext, page: DuePage, outcome: Outcome): Promise<RawBuilder<unknown>> {
  switch (outcome.kind) {
    case 'failed':
      return sql`state = 'failed', problem = ${outcome.problem}`;
    case 'gone': {
      const version = page.passages > 0 ? sql`, version = ${await nextVersion(tx)}` : sql``;
      return sql`state = 'failed', problem = ${outcome.problem}, body = '', chars = 0, passages = 0, bytes = 0, is_cut = false,
        etag = null, last_modified = null, content_hash = null ${version}`;
    }
    case 'unchanged':
      return sql`state = 'ready', problem = null, read_at = ${tx.now()} ${validators(outcome.from)}`;
    case 'text': {
      const { text, from, hash } = outcome;
      if (!(await hasRoomFor(tx, page.id, text.body))) return sql`state = 'failed', problem = 'site_full'`;
      const title = text.title ?? page.address;
      return sql`state = 'ready', problem = null, title = ${title}, body = ${text.body}, chars = ${text.body.length},
        is_cut = ${text.isCut},
        url = ${from.url}, bytes = ${from.content.length}, passages = ${passagesIn(title, text.body)},
        content_hash = ${hash}, version = ${await nextVersion(tx)}, read_at = ${tx.now()} ${validators(from)}`;
    }
  }
}

const HEADER_MAX_CHARS = 500;
/** A longer one can't be used. */
const bounded = (header: string | null): string | null =>
  header !== null && header.length <= HEADER_MAX_CHARS ? header : null;

const validators = (from: Content | undefined): RawBuilder<unknown> =>
  from ? sql`, etag = ${bounded(from.etag)}, last_modified = ${bounded(from.lastModified)}` : sql``;
