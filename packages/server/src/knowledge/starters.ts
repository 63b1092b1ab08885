import { type ParsedInputOf, STARTER_LIMIT, type Starter } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { decodeCursor, type Page, pageOf } from '../db/keyset.ts';
import type { Tables } from '../db/tables.ts';
import { AppError, notFound } from '../errors.ts';
import { lockKnowledge } from './knowledge-version.ts';

const POSITION_MAX = 10_000;

type StarterRow = Selectable<Tables['conversation_starters']>;

const presentStarter = ({ id, label, prompt, position }: StarterRow): Starter => ({
  id,
  label,
  prompt,
  position,
});

/** All of a site's, in their order: what the widget shows. */
export async function allStarters(db: Db, siteId: number): Promise<Starter[]> {
  const rows = await db
    .selectFrom('conversation_starters')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('position')
    .orderBy('id')
    .limit(STARTER_LIMIT)
    .execute();
  return rows.map(presentStarter);
}

/** By position, then id. */
export async function listStarters(
  { db, site }: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'conversation_starters.list'>,
): Promise<Page<Starter>> {
  const after = decodeCursor(cursor, 2);
  let query = db.selectFrom('conversation_starters').selectAll().where('site_id', '=', site.id);
  if (after) {
    const [position, id] = after;
    const behind = order === 'asc' ? sql.raw('>') : sql.raw('<');
    query = query.where(sql<boolean>`(position, id) ${behind} (${position}, ${id})`);
  }
  const rows = await query
    .orderBy('position', order)
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, ({ position, id }) => [position, id], presentStarter);
}

/**
 * Puts a starter at its position, by default behind the last.
 * @throws AppError 409 when the site has 20 already.
 */
export async function createStarter(
  ctx: SiteContext,
  { label, prompt, position }: ParsedInputOf<'conversation_starters.create'>,
): Promise<Starter> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const there = await allStarters(tx.db, tx.site.id);
    if (there.length >= STARTER_LIMIT) {
      throw new AppError('conflict', `A site has at most ${STARTER_LIMIT} conversation starters.`);
    }
    const behind = Math.min(POSITION_MAX, (there.at(-1)?.position ?? -1) + 1);
    const row = await tx.db
      .insertInto('conversation_starters')
      .values({ site_id: tx.site.id, label, prompt, position: position ?? behind })
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx.emit({ notices: [{ kind: 'site' }] });
    return presentStarter(row);
  });
}

/** @throws AppError 404, also for another site's. */
export async function updateStarter(
  ctx: SiteContext,
  { id, label, prompt, position }: ParsedInputOf<'conversation_starters.update'>,
): Promise<Starter> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('conversation_starters')
      .set({
        // One that is always there: an update of nothing is no statement.
        site_id: tx.site.id,
        ...(label === undefined ? {} : { label }),
        ...(prompt === undefined ? {} : { prompt }),
        ...(position === undefined ? {} : { position }),
      })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('conversation starter');
    await tx.emit({ notices: [{ kind: 'site' }] });
    return presentStarter(row);
  });
}

/** @throws AppError 404, also for another site's. */
export async function deleteStarter(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  await ctx.transaction(async (tx) => {
    const gone = await tx.db
      .deleteFrom('conversation_starters')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw notFound('conversation starter');
    await tx.emit({ notices: [{ kind: 'site' }] });
  });
  return { id, deleted: true };
}
