import type { OutputOf, ParsedInputOf, Segment, SegmentRule } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, isUniqueViolation, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { cursorId, pageOf } from '../../db/keyset.ts';

export const SEGMENTS_MAX = 200;

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
  const row = await segments(ctx).where('g.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('segment');
  return presentSegment(row);
}

export async function listSegments(
  ctx: SiteContext,
  { id, limit, cursor, order }: ParsedInputOf<'segments.list'>,
): Promise<OutputOf<'segments.list'>> {
  if (id !== undefined) return getSegment(ctx, id);
  const after = cursorId(cursor);
  let query = segments(ctx);
  if (after !== undefined) query = query.where('g.id', order === 'asc' ? '>' : '<', after);
  const rows = await query
    .orderBy('g.id', order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.id], presentSegment);
}

async function uniqueName<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'segments_name')) throw error;
    throw new AppError('conflict', `There is a segment named ${JSON.stringify(name)} already.`, {
      reason: 'name_taken',
      values: { name: name ?? '' },
    });
  }
}

/**
 * Every change of a site's rules ends the version that processes know them by. Locks the site's row: changes of rules
 * come one after the other.
 */
export async function nextRules(db: Db, siteId: number): Promise<void> {
  await sql`update sites set segments_version = gen_random_uuid() where id = ${siteId}`.execute(db);
}

const queueFilling = (tx: SiteContext, id: number): Promise<void> =>
  tx.enqueue('segments.fill', { segment_id: id }, { key: `${tx.site.id}:${id}` });

async function refuseTooMany({ db, site }: SiteContext): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from segments where site_id = ${site.id} and deleted_at is null`.execute(db);
  if ((rows[0]?.count ?? 0) >= SEGMENTS_MAX) {
    throw new AppError('conflict', `A site has at most ${SEGMENTS_MAX} segments.`, {
      reason: 'too_many',
      values: { count: SEGMENTS_MAX },
    });
  }
}

/**
 * Makes a segment; the background puts the visitors in it that there are (segment-fill.ts).
 * @throws AppError 409 for a name that is taken, or a site that has 200 segments.
 */
export async function createSegment(
  ctx: SiteContext,
  { name, rule }: ParsedInputOf<'segments.create'>,
): Promise<Segment> {
  return uniqueName(name, () =>
    ctx.transaction(async (tx) => {
      await nextRules(tx.db, tx.site.id);
      await refuseTooMany(tx);
      const now = tx.now();
      const { id } = await tx.db
        .insertInto('segments')
        .values({
          site_id: tx.site.id,
          name,
          rule: JSON.stringify(rule),
          touched_at: now,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await queueFilling(tx, id);
      return getSegment(tx, id);
    }),
  );
}

/**
 * Renames a segment or gives it another rule, which the background then applies to the visitors that there are.
 * @throws AppError 404, 409 for a name that is taken.
 */
export async function updateSegment(
  ctx: SiteContext,
  { id, name, rule }: ParsedInputOf<'segments.update'>,
): Promise<Segment> {
  return uniqueName(name, () =>
    ctx.transaction(async (tx) => {
      await nextRules(tx.db, tx.site.id);
      const known = await getSegment(tx, id);
      // The same rule with its fields in another order is no other rule.
      const { rows } = await sql<{ differs: boolean }>`
        select ${JSON.stringify(rule ?? known.rule)}::jsonb <> ${JSON.stringify(known.rule)}::jsonb as differs`.execute(
        tx.db,
      );
      const refill = rule !== undefined && rows[0]?.differs === true;
      const now = tx.now();
      await tx.db
        .updateTable('segments')
        .set({
          name: name ?? known.name,
          updated_at: now,
          ...(refill
            ? {
                rule: JSON.stringify(rule),
                filling: sql`gen_random_uuid()`,
                filled_to: 0,
                filled_at: null,
                touched_at: now,
              }
            : {}),
        })
        .where('site_id', '=', tx.site.id)
        .where('id', '=', id)
        .execute();
      if (refill) await queueFilling(tx, id);
      return getSegment(tx, id);
    }),
  );
}

/** @throws AppError 404, also for another site's. */
export async function deleteSegment(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  await ctx.transaction(async (tx) => {
    await nextRules(tx.db, tx.site.id);
    const now = tx.now();
    const gone = await tx.db
      .updateTable('segments')
      .set({ deleted_at: now, touched_at: now })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw notFound('segment');
    // Its members go in the background: there may be a million of them.
    await queueFilling(tx, id);
  });
  return { id, deleted: true };
}
