import type { MacroAction } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

type TagAction = Extract<MacroAction, { tags: string[] }>;
const namesTags = (action: MacroAction): action is TagAction =>
  action.type === 'add_tags' || action.type === 'remove_tags';

/** Removes duplicates, ignoring case. */
const distinct = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [name.toLowerCase(), name])).values(),
];

/** Macros whose actions name a tag. */
const macrosNaming = ({ site }: SiteContext, name: string) => sql`
  from macros m where m.site_id = ${site.id} and exists (
    select from json_array_elements(m.actions) a, json_array_elements_text(a -> 'tags') t
    where lower(t) = lower(${name}))`;

/**
 * Macros and saved views refer to tags by name, so they follow when a tag is renamed. Otherwise a macro would
 * recreate the old tag, and a view would show nothing.
 */
export async function followTagName(tx: SiteContext, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ id: number; actions: MacroAction[] }>`
    select m.id, m.actions ${macrosNaming(tx, from)} order by m.id for update`.execute(tx.db);
  for (const { id, actions } of rows) {
    const renamed = actions.map((action) =>
      namesTags(action)
        ? {
            ...action,
            tags: distinct(action.tags.map((tag) => (tag.toLowerCase() === from.toLowerCase() ? to : tag))),
          }
        : action,
    );
    await tx.db
      .updateTable('macros')
      .set({ actions: JSON.stringify(renamed), updated_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
  }
  await sql`
    update saved_views set version = version + 1, filter = jsonb_set(filter::jsonb, '{tag}', to_jsonb(${to}::text))
    where site_id = ${tx.site.id} and lower(filter ->> 'tag') = lower(${from})`.execute(tx.db);
  await tx.emit({ notices: [{ kind: 'views', agentId: null }] });
}
