import type { OutputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { isVisible } from '../sites/teams/visibility.ts';

/** The exact number is counted up to here, twice for each tag. Beyond it nobody needs it. */
const USES_COUNTED_MAX = 200;
const TAGS_MAX = 1_000;

/** How many records have each tag, the oldest tags first. Counts only macros and views that the caller sees. */
export async function tagUses(ctx: SiteContext): Promise<OutputOf<'tags.uses'>> {
  const { db, site } = ctx;
  const { rows } = await sql<OutputOf<'tags.uses'>['tags'][number]>`
    select g.id,
      (select count(*)::integer from (
        select from conversation_tags c where c.site_id = g.site_id and c.tag_id = g.id
        limit ${USES_COUNTED_MAX}) c) as chats,
      (select count(*)::integer from (
        select from ticket_tags t where t.site_id = g.site_id and t.tag_id = g.id
        limit ${USES_COUNTED_MAX}) t) as tickets,
      coalesce(m.macros, 0) as macros,
      (select count(*)::integer from saved_views v
        where v.site_id = g.site_id and ${isVisible(ctx, 'v')} and lower(v.filter ->> 'tag') = lower(g.name)) as views
    from (select * from tags where site_id = ${site.id} order by id limit ${TAGS_MAX}) g
    left join (
      select lower(t) as name, count(distinct m.id)::integer as macros
      from macros m, json_array_elements(m.actions) a, json_array_elements_text(a -> 'tags') t
      where m.site_id = ${site.id} and ${isVisible(ctx, 'm')} group by 1) m on m.name = lower(g.name)
    order by g.id`.execute(db);
  return { most: USES_COUNTED_MAX, tags: rows };
}
