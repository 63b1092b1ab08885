import {
  type OutputOf,
  type ParsedInputOf,
  type Rule,
  type RuleEvent,
  type RuleTrigger,
  SITE_RULES_MAX,
  subjectsOf,
} from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { invalidInput, tooMany } from '../base/errors.ts';
import { agentRefOf } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import { positionPage } from '../db/keyset.ts';
import type { Tables } from '../db/tables.generated.ts';
import { lockSite } from '../sites/sites.ts';
import { goneIn } from '../tickets/conditions/gone.ts';
import { checkActions } from '../tickets/macros/macros.ts';
import { assertMayAutomate, macroActionsOf } from './engine/actions.ts';
import { isLookedFor } from './engine/triggers.ts';

const records = new SiteRecords('rules', 'rule');

export type RuleRow = Selectable<Tables['rules']>;

const presentRule = (row: RuleRow): Rule => ({
  id: row.id,
  name: row.name,
  enabled: row.enabled_at !== null,
  position: row.position,
  trigger: row.trigger,
  conditions: row.conditions,
  actions: row.actions,
  final: row.is_final,
  disabled_reason: row.disabled_reason,
  disabled_failure: row.disabled_failure,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

/** The events of a trigger. */
const eventsOf = ({ on }: RuleTrigger): RuleEvent[] => [on];

/** A page in the order in which they run or, with `id`, that one. @throws AppError 404, also for another site's. */
export async function listRules(
  ctx: SiteContext,
  { id, ...paging }: ParsedInputOf<'rules.list'>,
): Promise<OutputOf<'rules.list'>> {
  if (id !== undefined) return presentRule(await records.get(ctx, id));
  const all = ctx.db.selectFrom('rules').selectAll().where('site_id', '=', ctx.site.id);
  const page = await positionPage(all, paging);
  return { ...page, items: page.items.map(presentRule) };
}

/** @throws AppError 400 for conditions that name what the site, or the records of the trigger, don't have */
async function checkConditions(
  ctx: SiteContext,
  { trigger, conditions }: Pick<Rule, 'trigger' | 'conditions'>,
): Promise<void> {
  for (const kind of subjectsOf(trigger.on)) {
    const [gone] = await goneIn(ctx, kind, [conditions]);
    if (gone) throw invalidInput([{ path: 'conditions', message: gone.message }]);
  }
}

/** Numbers the rules from 1, with one of them at its new position. The site's lock prevents concurrent changes. */
async function arrange(tx: SiteContext, id?: number, position?: number): Promise<void> {
  const rows = await tx.db
    .selectFrom('rules')
    .select(['id', 'position'])
    .where('site_id', '=', tx.site.id)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const order = rows.map((row) => row.id);
  if (id !== undefined && position !== undefined) {
    order.splice(order.indexOf(id), 1);
    order.splice(position - 1, 0, id);
  }
  await sql`
    update rules r set position = wanted.position
    from unnest(${order}::bigint[]) with ordinality as wanted (id, position)
    where r.site_id = ${tx.site.id} and r.id = wanted.id and r.position <> wanted.position`.execute(tx.db);
}

const authorOf = (ctx: SiteContext): { author_id?: number } => {
  const agent = agentRefOf(ctx);
  return agent ? { author_id: agent.id } : {};
};

const stored = ({ trigger, actions, conditions }: Omit<ParsedInputOf<'rules.update'>, 'id'>) => ({
  ...(trigger && { trigger: JSON.stringify(trigger), events: eventsOf(trigger) }),
  ...(actions && { actions: JSON.stringify(actions) }),
  ...(conditions !== undefined && { conditions: conditions && JSON.stringify(conditions) }),
});

/** From now on, time makes a record due for the rule; never for a rule that a change triggers, or a disabled one. */
const looksFrom = (now: Date, trigger: RuleTrigger, enabled: boolean) => ({
  looked_at: now,
  look_at: enabled && isLookedFor(trigger) ? now : null,
});

/** Creates a rule, by default as the last. @throws AppError 409 for a name that is taken and for too many rules, 404 */
export function createRule(ctx: SiteContext, input: ParsedInputOf<'rules.create'>): Promise<Rule> {
  const { name, trigger, actions, conditions, final, enabled, position } = input;
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const { count } = await tx.db
      .selectFrom('rules')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('site_id', '=', tx.site.id)
      .executeTakeFirstOrThrow();
    if (count >= SITE_RULES_MAX)
      throw tooMany(SITE_RULES_MAX, `A site can have at most ${SITE_RULES_MAX} rules.`);
    assertMayAutomate(tx, actions);
    await checkActions(tx, macroActionsOf(actions));
    await checkConditions(tx, { trigger, conditions });
    const now = tx.now();
    const { id } = await records.insert(tx, {
      name,
      position: count + 1,
      trigger: JSON.stringify(trigger),
      events: eventsOf(trigger),
      conditions: conditions && JSON.stringify(conditions),
      actions: JSON.stringify(actions),
      is_final: final,
      enabled_at: enabled ? now : null,
      ...looksFrom(now, trigger, enabled),
      created_at: now,
      updated_at: now,
      ...authorOf(tx),
    });
    await arrange(tx, id, position);
    return presentRule(await records.get(tx, id));
  });
}

/** @throws AppError 404, also for another site's and for an unknown assignee; 409 for a name that is taken. */
export function updateRule(ctx: SiteContext, input: ParsedInputOf<'rules.update'>): Promise<Rule> {
  const { id, name, final, enabled, position } = input;
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const before = await records.lock(tx, id);
    if (input.actions) {
      assertMayAutomate(tx, input.actions);
      await checkActions(tx, macroActionsOf(input.actions));
    }
    if (input.conditions || input.trigger)
      await checkConditions(tx, {
        trigger: input.trigger ?? before.trigger,
        conditions: input.conditions === undefined ? before.conditions : input.conditions,
      });
    const wasOn = before.enabled_at !== null;
    const isOn = enabled ?? wasOn;
    const change = {
      ...((input.trigger || isOn !== wasOn) && looksFrom(tx.now(), input.trigger ?? before.trigger, isOn)),
      ...stored(input),
      ...(name !== undefined && { name }),
      ...(final !== undefined && { is_final: final }),
      ...(enabled !== undefined && {
        enabled_at: enabled ? (before.enabled_at ?? tx.now()) : null,
        ...{ failures: 0, disabled_reason: null, disabled_failure: null, disabled_notice_due_at: null },
      }),
    };
    await records.update(tx, id, change, { updated_at: tx.now(), ...authorOf(tx) });
    if (position !== undefined) await arrange(tx, id, position);
    return presentRule(await records.get(tx, id));
  });
}

/** Deletes a rule with its log. @throws AppError 404, also for another site's. */
export function deleteRule(ctx: SiteContext, id: number): Promise<OutputOf<'rules.delete'>> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const deleted = await records.delete(tx, id);
    await arrange(tx);
    return deleted;
  });
}
