import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { isTemporary } from './crawl/crawler.ts';
import { claimSource, type Leased, releaseSource } from './leases.ts';
import { listPages } from './list-pages.ts';
import { readFile } from './read-file.ts';
import { readNextPage } from './read-page.ts';

/** A job hands over to another source after this long; one step may take longer. */
const TURN_MS = 30_000;
const EXPIRE_S = 300;
const LOOK_EVERY_MS = 2_000;
const HOUR_MS = 3_600_000;
const AGAIN_AFTER_MS = 24 * HOUR_MS;
/** Varies the time, so that sources that were added together aren't always read at the same moment. */
const JITTER = 0.1;

/** The job that reads a source; at most one per source waits. */
export const queueReading = (ctx: SiteContext, id: number): Promise<void> =>
  ctx.enqueue('knowledge.read_source', { source_id: id }, { key: `${ctx.site.id}:${id}` });

/**
 * Reads a page or sitemap that is due: the list of pages first, then page by page, each stored separately. A crash
 * loses one page; the lease expires, and another worker continues with the next.
 */
export async function readSource(ctx: SiteContext, id: number): Promise<void> {
  const source = await claimSource(ctx, id);
  if (!source) return;
  const end = performance.now() + TURN_MS;
  if (source.list_due && !(await listPages(ctx, source))) return;
  while (performance.now() < end) if (!(await readNextPage(ctx, source))) return finishReading(ctx, source);
  await releaseSource(ctx, source);
  await queueReading(ctx, id);
}

/** Plans the next reading: tomorrow, or sooner after a possibly temporary failure, with a growing delay. */
async function finishReading(ctx: SiteContext, { id, token, kind, failures }: Leased): Promise<void> {
  const { rows } = await sql<{ problem: Parameters<typeof isTemporary>[0] }>`
    select problem from knowledge_sources where site_id = ${ctx.site.id} and id = ${id} and problem is not null
    union select problem from knowledge_documents
    where site_id = ${ctx.site.id} and source_id = ${id} and problem is not null`.execute(ctx.db);
  const hasFailed = rows.some(({ problem }) => isTemporary(problem));
  const waitMs = hasFailed ? Math.min(AGAIN_AFTER_MS, HOUR_MS * 2 ** failures) : AGAIN_AFTER_MS;
  const next = new Date(ctx.now().getTime() + Math.round(waitMs * (1 + Math.random() * JITTER)));
  await ctx.transaction(async (tx) => {
    const { rows: ours } = await sql`
      update knowledge_sources set next_read_at = ${next}, list_due = ${kind === 'sitemap'}, lease_token = null,
        lease_until = null, failures = ${hasFailed ? failures + 1 : 0}
      where site_id = ${tx.site.id} and id = ${id} and lease_token = ${token} returning id`.execute(tx.db);
    if (ours.length === 0 || kind === 'sitemap') return;
    await sql`
      update knowledge_documents set due = true where site_id = ${tx.site.id} and source_id = ${id}`.execute(
      tx.db,
    );
  });
}

export const sourceJobs = [
  job({
    name: 'knowledge.read_file',
    // Each uses a core while it runs.
    workers: 1,
    // Longer than a file may take (`extract/extract-file.ts`), with room to store its text.
    expireS: 180,
    run: (ctx, { document_id }) => readFile(ctx, document_id),
  }),
  job({
    name: 'knowledge.read_source',
    workers: 2,
    expireS: EXPIRE_S,
    run: (ctx, { source_id }) => readSource(ctx, source_id),
  }),
];

/** Sources whose time has come, and those whose worker has died. */
export const sourceClock: RecurringJob = {
  name: 'knowledge.read_due',
  everyMs: LOOK_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", id from knowledge_sources
    where next_read_at <= ${now} and (lease_until is null or lease_until <= ${now})
    order by next_read_at limit ${limit}`,
  run: queueReading,
};
