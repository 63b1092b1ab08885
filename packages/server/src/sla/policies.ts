import {
  type OutputOf,
  type ParsedInputOf,
  SLA_POLICIES_MAX,
  SLA_TARGETS,
  type SlaConditions,
  type SlaPolicy,
  type SlaTargets,
  slaConditions,
  TICKET_PRIORITIES,
} from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { notFound, tooMany } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import { positionBehind, positionPage } from '../db/keyset.ts';
import type { Tables } from '../db/tables.generated.ts';
import { lockSite } from '../sites/sites.ts';
import { renewSlas } from '../sites/sla-version.ts';
import { areTeams } from '../sites/teams/assignable.ts';

const records = new SiteRecords('sla_policies', 'SLA policy', { notice: { kind: 'lists' } });

type PolicyRow = Selectable<Tables['sla_policies']>;

const presentPolicy = (row: PolicyRow): SlaPolicy => ({
  id: row.id,
  name: row.name,
  position: row.position,
  applies_to: row.applies_to,
  // In a stable order, which jsonb doesn't keep.
  conditions: slaConditions.parse(row.conditions),
  targets: wholeTargets(row.targets),
  hours: row.hours,
  warn_minutes: row.warn_minutes,
  pauses: row.pauses,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

type GivenTargets = ParsedInputOf<'sla_policies.create'>['targets'];

/** Omitted priorities have no target. */
const wholeTargets = (given: GivenTargets): SlaTargets =>
  Object.fromEntries(
    SLA_TARGETS.map((target) => [
      target,
      Object.fromEntries(TICKET_PRIORITIES.map((name) => [name, given[target]?.[name] ?? null])),
    ]),
  ) as SlaTargets;

/** @throws AppError 404 for a team or segment that the site doesn't have now; an existing policy may still name one */
async function checkConditions(ctx: SiteContext, conditions: SlaConditions | undefined): Promise<void> {
  const { db, site } = ctx;
  const { team_id, segment } = conditions ?? {};
  if (typeof team_id === 'number' && !(await areTeams(ctx, [team_id]))) throw notFound('team');
  if (segment === undefined) return;
  const { rows } = await sql`
    select from segments where site_id = ${site.id} and id = ${segment} and deleted_at is null`.execute(db);
  if (rows.length === 0) throw notFound('segment');
}

/** In their order or, with `id`, that one. @throws AppError 404, also for another site's. */
export async function listPolicies(
  ctx: SiteContext,
  { id, ...input }: ParsedInputOf<'sla_policies.list'>,
): Promise<OutputOf<'sla_policies.list'>> {
  if (id !== undefined) return presentPolicy(await records.get(ctx, id));
  const all = ctx.db.selectFrom('sla_policies').selectAll().where('site_id', '=', ctx.site.id);
  const { items, ...page } = await positionPage(all, input);
  return { ...page, items: items.map(presentPolicy) };
}

/** @returns the position after the last */
async function assertRoom({ db, site }: SiteContext): Promise<number> {
  const { count, last } = await db
    .selectFrom('sla_policies')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('position').as('last')])
    .where('site_id', '=', site.id)
    .executeTakeFirstOrThrow();
  if (count >= SLA_POLICIES_MAX)
    throw tooMany(SLA_POLICIES_MAX, `A site can have at most ${SLA_POLICIES_MAX} SLA policies.`);
  return positionBehind(last);
}

/**
 * Creates a policy at the given position, by default after the last. Tickets and chats that it applies to get their due
 * times in the background, unless they are solved.
 * @throws AppError 404 for an unknown team or segment, 409 for a name that is taken and for too many policies
 */
export const createPolicy = (
  ctx: SiteContext,
  input: ParsedInputOf<'sla_policies.create'>,
): Promise<SlaPolicy> =>
  ctx.transaction(async (tx) => {
    await lockSite(tx);
    const last = await assertRoom(tx);
    await checkConditions(tx, input.conditions);
    const now = tx.now();
    const row = await records.insert(tx, {
      name: input.name,
      position: input.position ?? last,
      applies_to: JSON.stringify(input.applies_to ?? ['tickets']),
      conditions: JSON.stringify(input.conditions ?? {}),
      targets: JSON.stringify(wholeTargets(input.targets)),
      hours: input.hours ?? 'team',
      warn_minutes: input.warn_minutes ?? null,
      pauses: JSON.stringify(input.pauses ?? ['pending', 'snoozed']),
      created_at: now,
      updated_at: now,
    });
    await renewSlas(tx);
    return presentPolicy(row);
  });

/** @throws AppError 404, also for an unknown team or segment; 409 for a name that is taken. */
export const updatePolicy = (
  ctx: SiteContext,
  { id, applies_to, conditions, targets, pauses, ...plain }: ParsedInputOf<'sla_policies.update'>,
): Promise<SlaPolicy> =>
  ctx.transaction(async (tx) => {
    await lockSite(tx);
    await records.lock(tx, id);
    await checkConditions(tx, conditions);
    const change = {
      ...plain,
      applies_to: applies_to && JSON.stringify(applies_to),
      conditions: conditions && JSON.stringify(conditions),
      targets: targets && JSON.stringify(wholeTargets(targets)),
      pauses: pauses && JSON.stringify(pauses),
    };
    const row = await records.update(tx, id, change, { updated_at: tx.now() });
    if (Object.values(change).some((value) => value !== undefined)) await renewSlas(tx);
    return presentPolicy(row);
  });

/** Tickets that it applied to get the next policy that matches. @throws AppError 404, also for another site's. */
export const deletePolicy = (ctx: SiteContext, id: number): Promise<OutputOf<'sla_policies.delete'>> =>
  ctx.transaction(async (tx) => {
    await lockSite(tx);
    const answer = await records.delete(tx, id);
    await renewSlas(tx);
    return answer;
  });
