import { type OutputOf, type ParsedInputOf, TAG_COLOR_NAMES, TAG_COLORS, type Tag } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import { idPage, type Page } from '../db/keyset.ts';
import { followTagName } from './tag-names.ts';

const tags = new SiteRecords('tags', 'tag');

const presentTag = ({ id, name, color }: Tag): Tag => ({ id, name, color });

async function nextColor(ctx: SiteContext): Promise<string> {
  const { count } = await ctx.db
    .selectFrom('tags')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('site_id', '=', ctx.site.id)
    .executeTakeFirstOrThrow();
  return TAG_COLORS[TAG_COLOR_NAMES[Number(count) % TAG_COLOR_NAMES.length] ?? 'teal'];
}

/** @throws AppError 404, also for another site's. */
export const getTag = async (ctx: SiteContext, id: number): Promise<Tag> =>
  presentTag(await tags.get(ctx, id));

/** By id, in `input.order`. */
export const listTags = ({ db, site }: SiteContext, input: ParsedInputOf<'tags.list'>): Promise<Page<Tag>> =>
  idPage(db.selectFrom('tags').selectAll().where('site_id', '=', site.id), input, presentTag);

/** @throws AppError 409 for a name that is taken, ignoring case. */
export async function createTag(ctx: SiteContext, name: string, color?: string | null): Promise<Tag> {
  return presentTag(await tags.insert(ctx, { name, color: color ?? (await nextColor(ctx)) }));
}

/** @throws AppError 404, 409 for a name that is taken. */
export function updateTag(ctx: SiteContext, { id, name, color }: ParsedInputOf<'tags.update'>): Promise<Tag> {
  return ctx.transaction(async (tx) => {
    const before = await tags.get(tx, id);
    // Clearing the colour assigns the next one of the palette.
    const newColor = color === null ? await nextColor(tx) : color;
    const after = await tags.update(tx, id, { name, color: newColor });
    if (after.name !== before.name) await followTagName(tx, before.name, after.name);
    return presentTag(after);
  });
}

/** @throws AppError 404, also for another site's. */
export const deleteTag = (ctx: SiteContext, id: number): Promise<OutputOf<'tags.delete'>> =>
  tags.delete(ctx, id);

/**
 * The ids of these names. Missing tags are created, always in the same order, so that concurrent callers wait for
 * each other instead of deadlocking.
 */
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

/** Looks the tag up first instead of using a subquery: the planner then knows how many tickets have it. */
export async function findTag({ db, site }: SiteContext, name: string): Promise<number | undefined> {
  const tag = await db
    .selectFrom('tags')
    .select('id')
    .where('site_id', '=', site.id)
    .where(sql`lower(name)`, '=', sql`lower(${name}::text)`)
    .executeTakeFirst();
  return tag?.id;
}
