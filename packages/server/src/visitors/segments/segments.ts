import { randomUUID } from 'node:crypto';
import type { OutputOf, ParsedInputOf, Segment, SegmentRule } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import type { Db } from '../../db/database.ts';
import { idPage } from '../../db/keyset.ts';

const SEGMENTS_MAX = 200;

/** Includes deleted segments until a job has removed their members. */
const records = new SiteRecords('segments', 'segment');

interface SegmentRow {
  id: number;
  name: string;
  rule: SegmentRule;
  size: number;
  filled_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const presentSegment = (row: SegmentRow): Segment => ({
  id: row.id,
  name: row.name,
  rule: row.rule,
  size: row.size,
  ready: row.filled_at !== null,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

const segments = ({ db, site }: SiteContext) =>
  db
    .selectFrom('segments as g')
    .select(['g.id', 'g.name', 'g.rule', 'g.filled_at', 'g.created_at', 'g.updated_at'])
    .select(
      sql<number>`g.size + (
        select coalesce(sum(delta), 0)::bigint from segment_deltas d
        where d.site_id = g.site_id and d.segment_id = g.id
      )`.as('size'),
    )
    .where('g.site_id', '=', site.id)
    .where('g.deleted_at', 'is', null);

/** @throws AppError 404, also for another site's. */
export async function getSegment(ctx: SiteContext, id: number): Promise<Segment> {
  return presentSegment(
    await segments(ctx)
      .where('g.id', '=', id)
      .executeTakeFirstOrThrow(() => notFound('segment')),
  );
}

/** With `input.id` that segment, or a 404; otherwise a page by id. Deleted ones aren't listed. */
export const listSegments = async (
  ctx: SiteContext,
  input: ParsedInputOf<'segments.list'>,
): Promise<OutputOf<'segments.list'>> =>
  input.id === undefined ? idPage(segments(ctx), input, presentSegment, 'g.id') : getSegment(ctx, input.id);

/**
 * Invalidates the cached rules of a site by increasing their version. Locks the site's row, so that rules change
 * one at a time.
 */
export async function nextRules(db: Db, siteId: number): Promise<void> {
  await sql`update sites set segments_version = gen_random_uuid() where id = ${siteId}`.execute(db);
}

const queueFilling = (tx: SiteContext, id: number): Promise<void> =>
  tx.enqueue('segments.fill', { segment_id: id }, { key: `${tx.site.id}:${id}` });

async function refuseTooMany({ db, site }: SiteContext): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from segments where site_id = ${site.id} and deleted_at is null`.execute(db);
  if ((rows[0]?.count ?? 0) >= SEGMENTS_MAX)
    throw tooMany(SEGMENTS_MAX, `A site can have at most ${SEGMENTS_MAX} segments.`);
}

/**
 * Creates a segment; a job adds the existing visitors (batches.ts).
 * @throws AppError 409 for a name that is taken, or a site that has 200 segments.
 */
export function createSegment(
  ctx: SiteContext,
  { name, rule }: ParsedInputOf<'segments.create'>,
): Promise<Segment> {
  return ctx.transaction(async (tx) => {
    await nextRules(tx.db, tx.site.id);
    await refuseTooMany(tx);
    const now = tx.now();
    const stamps = { touched_at: now, created_at: now, updated_at: now };
    const { id } = await records.insert(tx, { name, rule: JSON.stringify(rule), ...stamps });
    await queueFilling(tx, id);
    return getSegment(tx, id);
  });
}

/**
 * Renames a segment or changes its rule, which a job then applies to the existing visitors.
 * @throws AppError 404, 409 for a name that is taken.
 */
export function updateSegment(
  ctx: SiteContext,
  { id, name, rule }: ParsedInputOf<'segments.update'>,
): Promise<Segment> {
  return ctx.transaction(async (tx) => {
    await nextRules(tx.db, tx.site.id);
    const known = await getSegment(tx, id);
    const json = JSON.stringify(rule ?? known.rule);
    // The same rule with its fields in another order counts as unchanged.
    const { rows } = await sql<{ differs: boolean }>`
      select ${json}::jsonb <> ${JSON.stringify(known.rule)}::jsonb as differs`.execute(tx.db);
    const isRefilled = rows[0]?.differs === true;
    const now = tx.now();
    await records.update(tx, id, {
      name,
      updated_at: now,
      ...(isRefilled && {
        rule: json,
        filling: randomUUID(),
        filled_to: 0,
        filled_at: null,
        touched_at: now,
      }),
    });
    if (isRefilled) await queueFilling(tx, id);
    return getSegment(tx, id);
  });
}

/** @throws AppError 404, also for another site's. */
export function deleteSegment(ctx: SiteContext, id: number): Promise<OutputOf<'segments.delete'>> {
  return ctx.transaction(async (tx) => {
    await nextRules(tx.db, tx.site.id);
    await getSegment(tx, id);
    const now = tx.now();
    await records.update(tx, id, { deleted_at: now, touched_at: now });
    // A job removes its members: there may be a million of them.
    await queueFilling(tx, id);
    return { id, deleted: true };
  });
}
