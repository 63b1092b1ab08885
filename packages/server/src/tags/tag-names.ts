import type { ConditionPart, MacroAction, RuleAction } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

type TagAction = Extract<MacroAction, { tags: string[] }>;
const namesTags = (action: RuleAction): action is TagAction =>
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

/** Actions with another name for a tag. */
const withName = <A extends RuleAction>(actions: readonly A[], from: string, to: string): A[] =>
  actions.map((action) =>
    namesTags(action)
      ? {
          ...action,
          tags: distinct(action.tags.map((tag) => (tag.toLowerCase() === from.toLowerCase() ? to : tag))),
        }
      : action,
  );

/** Conditions with another name for a tag, at any depth. */
function conditionsWithName(part: ConditionPart, from: string, to: string): ConditionPart {
  const inner = (parts: ConditionPart[]) => parts.map((one) => conditionsWithName(one, from, to));
  if ('all' in part) return { all: inner(part.all) };
  if ('any' in part) return { any: inner(part.any) };
  if ('none' in part) return { none: inner(part.none) };
  return 'tag' in part && part.tag?.toLowerCase() === from.toLowerCase() ? { ...part, tag: to } : part;
}

/** A site has few rules, so all are read. */
async function followInRules(tx: SiteContext, from: string, to: string): Promise<void> {
  const rules = await tx.db
    .selectFrom('rules')
    .select(['id', 'actions', 'conditions'])
    .where('site_id', '=', tx.site.id)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, ...before } of rules) {
    const actions = JSON.stringify(withName(before.actions, from, to));
    const conditions = before.conditions && JSON.stringify(conditionsWithName(before.conditions, from, to));
    const isSame =
      actions === JSON.stringify(before.actions) &&
      conditions === (before.conditions && JSON.stringify(before.conditions));
    if (isSame) continue;
    await tx.db
      .updateTable('rules')
      .set({ actions, conditions, updated_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
  }
}

/**
 * Macros, rules and saved views refer to tags by name, so they follow when a tag is renamed. Otherwise a macro or rule
 * would recreate the old tag, and a view or condition would match nothing.
 */
export async function followTagName(tx: SiteContext, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ id: number; actions: MacroAction[] }>`
    select m.id, m.actions ${macrosNaming(tx, from)} order by m.id for update`.execute(tx.db);
  for (const { id, actions } of rows) {
    await tx.db
      .updateTable('macros')
      .set({ actions: JSON.stringify(withName(actions, from, to)), updated_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
  }
  await followInRules(tx, from, to);
  await sql`
    update saved_views set version = version + 1, filter = jsonb_set(filter::jsonb, '{tag}', to_jsonb(${to}::text))
    where site_id = ${tx.site.id} and lower(filter ->> 'tag') = lower(${from})`.execute(tx.db);
  await tx.emit({ notices: [{ kind: 'views', agentId: null }] });
}
