import { TAG_COLOR_NAMES, TAG_COLORS, type Tag } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, isUniqueViolation, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorId, pageOf } from '../db/keyset.ts';
import { followTagName } from './tag-names.ts';

const taken = (name: string) =>
  new AppError('conflict', `There is a tag named ${JSON.stringify(name)} already.`, {
    reason: 'name_taken',
    values: { name },
  });

async function uniqueName<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'tags_name')) throw taken(name);
    throw error;
  }
}

async function nextColor(ctx: SiteContext): Promise<string> {
  const { count } = await ctx.db
    .selectFrom('tags')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('site_id', '=', ctx.site.id)
    .executeTakeFirstOrThrow();
  return TAG_COLORS[TAG_COLOR_NAMES[Number(count) % TAG_COLOR_NAMES.length] ?? 'teal'];
}

/** @throws AppError 404, also for another site's. */
export async function getTag({ db, site }: SiteContext, id: number): Promise<Tag> {
  const tag = await db
    .selectFrom('tags')
    .select(['id', 'name', 'color'])
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!tag) throw notFound('tag');
  return tag;
}

export async function listTags(
  ctx: SiteContext,
  input: { limit: number; order: 'asc' | 'desc'; cursor?: string | undefined },
) {
  const after = cursorId(input.cursor);
  let query = ctx.db.selectFrom('tags').select(['id', 'name', 'color']).where('site_id', '=', ctx.site.id);
  if (after !== undefined) query = query.where('id', input.order === 'asc' ? '>' : '<', after);
  const rows = await query
    .orderBy('id', input.order)
    .limit(input.limit + 1)
    .execute();
  return pageOf(
    rows,
    input.limit,
    (row) => [row.id],
    (row): Tag => row,
  );
}

export async function createTag(ctx: SiteContext, name: string, color?: string | null): Promise<Tag> {
  const values = { site_id: ctx.site.id, name, color: color ?? (await nextColor(ctx)) };
  return uniqueName(name, () =>
    ctx.db.insertInto('tags').values(values).returning(['id', 'name', 'color']).executeTakeFirstOrThrow(),
  );
}

export async function updateTag(
  ctx: SiteContext,
  id: number,
  change: { name?: string | undefined; color?: string | null | undefined },
): Promise<Tag> {
  const set = {
    ...(change.name === undefined ? {} : { name: change.name }),
    // A colour that is cleared is given anew from the palette.
    ...(change.color === undefined ? {} : { color: change.color ?? (await nextColor(ctx)) }),
  };
  const before = await getTag(ctx, id);
  if (Object.keys(set).length === 0) return before;
  return ctx.transaction(async (tx) => {
    await uniqueName(change.name ?? '', () =>
      tx.db.updateTable('tags').set(set).where('site_id', '=', tx.site.id).where('id', '=', id).execute(),
    );
    const after = await getTag(tx, id);
    if (after.name !== before.name) await followTagName(tx, before.name, after.name);
    return after;
  });
}

export async function deleteTag(ctx: SiteContext, id: number): Promise<void> {
  const gone = await ctx.db
    .deleteFrom('tags')
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw notFound('tag');
}

/** The ids of these names; those that the site doesn't have are made, in one order: two who make the same wait for one. */
export async function ensureTags(ctx: SiteContext, names: string[]): Promise<number[]> {
  const wanted = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
  if (wanted.length === 0) return [];
  const color = await nextColor(ctx);
  await sql`
    insert into tags (site_id, name, color) select ${ctx.site.id}, name, ${color} from unnest(${wanted}::text[]) as name
    order by lower(name)
    on conflict (site_id, lower(name)) do nothing`.execute(ctx.db);
  const { rows } = await sql<{ id: number }>`
    select t.id from tags t join unnest(${wanted}::text[]) as wanted (name) on lower(t.name) = lower(wanted.name)
    where t.site_id = ${ctx.site.id}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
