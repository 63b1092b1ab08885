import { type OutputOf, type ParsedInputOf, STARTER_LIMIT, type Starter } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { tooMany } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import type { Db } from '../db/database.ts';
import { type Page, positionBehind, positionPage } from '../db/keyset.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/tables.generated.ts';
import { lockKnowledge } from './knowledge-version.ts';

/** Widgets show them, so each change is a change of the site. */
const starters = new SiteRecords('conversation_starters', 'conversation starter', {
  notice: { kind: 'site' },
});

type StarterRow = Pick<Selectable<Tables['conversation_starters']>, keyof Starter>;

const presentStarter = ({ id, label, prompt, position }: StarterRow): Starter => ({
  id,
  label,
  prompt,
  position,
});

/** All of a site's, in their order: as the widget shows them. */
export async function allStarters(db: Db, siteId: number): Promise<Starter[]> {
  const rows = await db
    .selectFrom('conversation_starters')
    .modifyFront(prepared)
    .select(['id', 'label', 'prompt', 'position'])
    .where('site_id', '=', siteId)
    .orderBy('position')
    .orderBy('id')
    .limit(sql.lit(STARTER_LIMIT))
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
 * Inserts a starter at its position, by default after the last.
 * @throws AppError 409 when the site has 20 already.
 */
export async function createStarter(
  ctx: SiteContext,
  { label, prompt, position }: ParsedInputOf<'conversation_starters.create'>,
): Promise<Starter> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const there = await allStarters(tx.db, tx.site.id);
    if (there.length >= STARTER_LIMIT)
      throw tooMany(STARTER_LIMIT, `A site can have at most ${STARTER_LIMIT} conversation starters.`);
    const place = position ?? positionBehind(there.at(-1)?.position);
    return presentStarter(await starters.insert(tx, { label, prompt, position: place }));
  });
}

/** @throws AppError 404, also for another site's. */
export const updateStarter = async (
  ctx: SiteContext,
  { id, ...change }: ParsedInputOf<'conversation_starters.update'>,
): Promise<Starter> => presentStarter(await starters.update(ctx, id, change));

/** @throws AppError 404, also for another site's. */
export const deleteStarter = (
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'conversation_starters.delete'>> => starters.delete(ctx, id);
