import { type OutputOf, STORAGE_KINDS } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

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

/** The exact number is counted up to here. Beyond it nobody needs it, and counting could read a million rows. */
const COUNTED_MAX = 20_000;

/** How many rows of a table a site has; for many rows, the estimate of PostgreSQL's planner. */
async function rowsOf({ db, site }: SiteContext, table: string): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${sql.table(table)} where site_id = ${site.id} limit ${COUNTED_MAX + 1}) own`.execute(db);
  const count = counted.rows[0]?.count ?? 0;
  if (count <= COUNTED_MAX) return count;
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from ${sql.table(table)} where site_id = ${site.id}`.execute(db);
  return Math.max(count, rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

/** All sites share a table on disk: a site's share is proportional to its rows. */
async function shareOf(ctx: SiteContext, table: string): Promise<Share> {
  const records = await rowsOf(ctx, table);
  const { rows } = await sql<{ bytes: number }>`
    select (pg_total_relation_size(oid) * (${records}::float8 / greatest(reltuples, ${records}, 1)))::bigint as bytes
    from pg_class where oid = ${table}::regclass`.execute(ctx.db);
  return { records, bytes: rows[0]?.bytes ?? 0 };
}

/** Files store their size. For pictures, the length is read without the content. */
async function filesOf({ db, site }: SiteContext): Promise<Share> {
  const { rows } = await sql<Share>`
    select count(*)::bigint as records, coalesce(sum(size), 0)::bigint as bytes from (
      select size from attachments where site_id = ${site.id}
      union all
      select octet_length(content) from article_images where site_id = ${site.id}
    ) files`.execute(db);
  return rows[0] ?? { records: 0, bytes: 0 };
}

/** How much storage a site's data takes, by kind. */
export async function storageOf(ctx: SiteContext): Promise<OutputOf<'usage.storage'>> {
  const kinds: OutputOf<'usage.storage'>['kinds'] = [];
  for (const kind of STORAGE_KINDS) {
    if (kind === 'files') {
      kinds.push({ kind, ...(await filesOf(ctx)) });
      continue;
    }
    const [first, ...rest] = TABLES[kind];
    const own = await shareOf(ctx, first ?? '');
    for (const table of rest) own.bytes += (await shareOf(ctx, table)).bytes;
    kinds.push({ kind, ...own });
  }
  return { kinds };
}
