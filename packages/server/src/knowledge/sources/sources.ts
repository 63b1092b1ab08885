import type {
  KnowledgeSource,
  OutputOf,
  ParsedInputOf,
  SourceKind,
  SourceProblem,
  SourceState,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, pageOf } from '../../db/keyset.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';

interface SourceRow {
  id: number;
  kind: SourceKind;
  address: string;
  created_at: Date;
  state: SourceState;
  problem: SourceProblem | null;
  title: string | null;
  document_id: number | null;
  documents: number;
  failed: number;
  is_cut: boolean;
  bytes: number;
  passages: number;
  uses: number;
  last_used_at: Date | null;
  read_at: Date | null;
  next_read_at: Date | null;
}

const present = (row: SourceRow): KnowledgeSource => ({
  id: row.id,
  kind: row.kind,
  address: row.address,
  title: row.title,
  state: row.state,
  problem: row.state === 'failed' ? row.problem : null,
  failed: row.failed,
  is_cut: row.is_cut,
  document_id: row.document_id,
  documents: row.documents,
  bytes: row.bytes,
  passages: row.passages,
  uses: row.uses,
  last_used_utc: row.last_used_at?.toISOString() ?? null,
  read_utc: row.read_at?.toISOString() ?? null,
  next_read_utc: row.next_read_at?.toISOString() ?? null,
  created_utc: row.created_at.toISOString(),
});

/** Sources (as `s`) matching a condition, with the sums of their documents. */
async function sourceRows(ctx: SiteContext, tail: RawBuilder<unknown>): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select s.id, s.kind, s.address, s.created_at, s.is_cut, s.next_read_at, d.title, d.document_id, d.documents,
      d.failed, d.bytes, d.passages, d.uses, d.last_used_at, d.read_at, coalesce(s.problem, d.problem) as problem,
      case when s.lease_until > ${ctx.now()} or d.reading > 0 or d.waiting between 1 and d.known - 1 then 'reading'
        when d.waiting > 0 or s.next_read_at <= ${ctx.now()} then 'waiting'
        when s.problem is not null or (d.failed > 0 and d.failed = d.known) then 'failed' else 'ready' end as state
    from knowledge_sources s cross join lateral (
      select count(*) as known, count(*) filter (where state = 'reading') as reading,
        count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'failed')::int as failed,
        case when count(*) = 1 then min(title) filter (where passages > 0) end as title,
        case when count(*) = 1 then min(id) end as document_id,
        count(*) filter (where passages > 0)::int as documents, coalesce(sum(bytes), 0)::bigint as bytes,
        coalesce(sum(passages), 0)::int as passages, coalesce(sum(uses), 0)::int as uses,
        max(last_used_at) as last_used_at, max(read_at) as read_at, min(problem) as problem
      from knowledge_documents where site_id = s.site_id and source_id = s.id
    ) d
    where s.site_id = ${ctx.site.id} and ${tail}`.execute(ctx.db);
  return rows;
}

/** Newest first unless `order` says otherwise; with an id, that source alone. @throws AppError 404 */
export async function listSources(
  ctx: SiteContext,
  { id, kind, limit, cursor, order }: ParsedInputOf<'knowledge_sources.list'>,
): Promise<OutputOf<'knowledge_sources.list'>> {
  if (id !== undefined) return getSource(ctx, id);
  const after = cursorId(cursor);
  const [direction, behind] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const isOfKind = kind === undefined ? sql`true` : sql`s.kind = ${kind}`;
  const beyond = after === undefined ? sql`true` : sql`s.id ${behind} ${after}`;
  const tail = sql`${isOfKind} and ${beyond} order by s.id ${direction} limit ${limit + 1}`;
  return pageOf(await sourceRows(ctx, tail), limit, (row) => [row.id], present);
}

/** @throws AppError 404 */
export async function getSource(ctx: SiteContext, id: number): Promise<KnowledgeSource> {
  const [row] = await sourceRows(ctx, sql`s.id = ${id}`);
  if (!row) throw notFound('knowledge source');
  return present(row);
}

/** The next question no longer uses its passages. @throws AppError 404 */
export function deleteSource(ctx: SiteContext, id: number): Promise<OutputOf<'knowledge_sources.delete'>> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const { rows } = await sql`
      delete from knowledge_sources where site_id = ${tx.site.id} and id = ${id} returning id`.execute(tx.db);
    if (rows.length === 0) throw notFound('knowledge source');
    await nextVersion(tx);
    return { id, deleted: true };
  });
}
