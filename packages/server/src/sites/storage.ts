import { type OutputOf, STORAGE_KINDS } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { countRows } from '../db/row-count.ts';

type Kind = (typeof STORAGE_KINDS)[number];

/** The tables of each kind. The rows of the first are its records. */
const TABLES: Record<Exclude<Kind, 'files'>, readonly string[]> = {
  chats: ['conversations', 'messages', 'notes', 'message_search_chunks'],
  tickets: ['tickets', 'ticket_replies', 'ticket_words'],
  visitors: ['visitors'],
  events: ['visitor_events'],
  knowledge: ['articles', 'article_versions', 'knowledge_documents'],
  webhook_log: ['webhook_deliveries', 'webhook_events'],
  audit_log: ['audit_entries'],
};

interface Share {
  records: number;
  bytes: number;
}

/** Records are counted exactly up to here, and files measured one by one. */
const COUNTED_MAX = 5_000;

const countOf = ({ db, site }: SiteContext, table: string): Promise<number> =>
  countRows(db, sql`from ${sql.table(table)} where site_id = ${site.id}`, COUNTED_MAX);

interface TableSize {
  rows: number;
  bytes: number;
}

/** The tables with their indexes, of all sites; rows are PostgreSQL's estimate. */
async function sizesOf({ db }: SiteContext, tables: readonly string[]): Promise<Map<string, TableSize>> {
  const { rows } = await sql<TableSize & { name: string }>`
    select t.name, c.reltuples as rows, pg_total_relation_size(c.oid) as bytes
    from unnest(${tables}::text[]) as t (name) join pg_class c on c.oid = t.name::regclass`.execute(db);
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

/** All sites share a table on disk: a site's share is proportional to its rows. */
async function shareOf(ctx: SiteContext, table: string, size: TableSize | undefined): Promise<Share> {
  const records = await countOf(ctx, table);
  const { rows = 0, bytes = 0 } = size ?? {};
  return { records, bytes: Math.round((bytes * records) / Math.max(rows, records, 1)) };
}

/**
 * Files store their size; for pictures, the length is read without the content. Of many, the newest stand for all.
 */
async function filesIn(ctx: SiteContext, table: string, size: RawBuilder<number>): Promise<Share> {
  const records = await countOf(ctx, table);
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from (
      select ${size} as size from ${sql.table(table)} where site_id = ${ctx.site.id} order by id desc limit ${COUNTED_MAX}
    ) newest`.execute(ctx.db);
  const bytes = rows[0]?.bytes ?? 0;
  return { records, bytes: records <= COUNTED_MAX ? bytes : Math.round((bytes * records) / COUNTED_MAX) };
}

/** A site's files, exact up to 5,000 of each kind. */
export async function filesOf(ctx: SiteContext): Promise<Share> {
  const files = await filesIn(ctx, 'attachments', sql`size`);
  const images = await filesIn(ctx, 'article_images', sql`octet_length(content)`);
  return { records: files.records + images.records, bytes: files.bytes + images.bytes };
}

/** How much storage a site's data takes, by kind. */
export async function storageOf(ctx: SiteContext): Promise<OutputOf<'usage.storage'>> {
  const sizes = await sizesOf(ctx, Object.values(TABLES).flat());
  const kinds: OutputOf<'usage.storage'>['kinds'] = [];
  for (const kind of STORAGE_KINDS) {
    if (kind === 'files') {
      kinds.push({ kind, ...(await filesOf(ctx)) });
      continue;
    }
    const [first = '', ...rest] = TABLES[kind];
    const own = await shareOf(ctx, first, sizes.get(first));
    for (const table of rest) own.bytes += (await shareOf(ctx, table, sizes.get(table))).bytes;
    kinds.push({ kind, ...own });
  }
  return { kinds, files_max_bytes: ctx.services.filesQuota.maxBytes };
}
