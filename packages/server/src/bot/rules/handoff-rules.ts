import { type HandoffRule, type OutputOf, type ParsedInputOf, RULES_MAX } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { invalidInput, notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../../sites/sites.ts';

const rules = new SiteRecords('handoff_rules', 'handoff rule');

type RuleRow = Selectable<Tables['handoff_rules']>;

const presentRule = (row: RuleRow): HandoffRule => ({
  id: row.id,
  name: row.name,
  words: row.words,
  pages: row.pages,
  segment_ids: row.segment_ids,
  hours: row.hours,
  enabled: row.disabled_at === null,
});

/** All rules of the site, oldest first: they are checked in this order. */
export async function listRules({ db, site }: SiteContext): Promise<HandoffRule[]> {
  const rows = await db
    .selectFrom('handoff_rules')
    .selectAll()
    .where('site_id', '=', site.id)
    .orderBy('id')
    .limit(RULES_MAX)
    .execute();
  return rows.map(presentRule);
}

/** A rule without any condition would hand over every chat: for that, the bot can be switched off. */
function refuseEmpty({ words, pages, segment_ids, hours }: Omit<HandoffRule, 'id'>): void {
  if (words.length + pages.length + segment_ids.length > 0 || hours !== 'any') return;
  throw invalidInput([
    { path: '', message: 'must have words, pages, segments or hours', reason: 'rule_empty' },
  ]);
}

/** @throws AppError 404 if one is not the site's. */
async function checkSegments({ db, site }: SiteContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await db
    .selectFrom('segments')
    .select('id')
    .where('site_id', '=', site.id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any (${[...ids]})`)
    .execute();
  if (found.length < new Set(ids).size) throw notFound('segment');
}

const columnsOf = (tx: SiteContext, { enabled, id: _, ...rule }: HandoffRule, before: Date | null) => ({
  ...rule,
  disabled_at: enabled ? null : (before ?? tx.now()),
});

/** @throws AppError 400 for a rule without a condition, 404 for an unknown segment, 409 beyond RULES_MAX. */
export function createRule(
  ctx: SiteContext,
  input: ParsedInputOf<'handoff_rules.create'>,
): Promise<HandoffRule> {
  refuseEmpty(input);
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    await checkSegments(tx, input.segment_ids);
    if ((await listRules(tx)).length >= RULES_MAX)
      throw tooMany(RULES_MAX, `A site can have at most ${RULES_MAX} handoff rules.`);
    const columns = columnsOf(tx, { id: 0, ...input }, null);
    return presentRule(await rules.insert(tx, { ...columns, created_at: tx.now() }));
  });
}

/** @throws AppError 400, 404. */
export function updateRule(
  ctx: SiteContext,
  { id, ...change }: ParsedInputOf<'handoff_rules.update'>,
): Promise<HandoffRule> {
  return ctx.transaction(async (tx) => {
    const before = await rules.lock(tx, id);
    const was = presentRule(before);
    const rule: HandoffRule = {
      id,
      name: change.name ?? was.name,
      words: change.words ?? was.words,
      pages: change.pages ?? was.pages,
      segment_ids: change.segment_ids ?? was.segment_ids,
      hours: change.hours ?? was.hours,
      enabled: change.enabled ?? was.enabled,
    };
    refuseEmpty(rule);
    await checkSegments(tx, change.segment_ids ?? []);
    return presentRule(await rules.update(tx, id, columnsOf(tx, rule, before.disabled_at)));
  });
}

/** @throws AppError 404, also for another site's. */
export const deleteRule = (ctx: SiteContext, id: number): Promise<OutputOf<'handoff_rules.delete'>> =>
  rules.delete(ctx, id);
