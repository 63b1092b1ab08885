import { type ParsedInputOf, STARTER_LIMIT, type Starter } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import { AppError, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { type Page, positionBehind, positionPage } from '../db/keyset.ts';
import type { Tables } from '../db/tables.ts';
import { lockKnowledge } from './knowledge-version.ts';

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
  input: ParsedInputOf<'conversation_starters.list'>,
): Promise<Page<Starter>> {
  const all = db.selectFrom('conversation_starters').selectAll().where('site_id', '=', site.id);
  const page = await positionPage(all, input);
  return { ...page, items: page.items.map(presentStarter) };
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
      throw new AppError('conflict', `A site has at most ${STARTER_LIMIT} conversation starters.`, {
        reason: 'too_many',
        values: { count: STARTER_LIMIT },
      });
    }
    const row = await tx.db
      .insertInto('conversation_starters')
      .values({
        site_id: tx.site.id,
        label,
        prompt,
        position: position ?? positionBehind(there.at(-1)?.position),
      })
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
