import {
  type ConditionGroup,
  type ConditionPart,
  conditionsIn,
  isConditionGroup,
  type RecordCondition,
  type RuleSubject,
} from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { joinNeeds } from '../../visitors/segments/needs.ts';
import { evaluate, type Facts, type Judged, needsOf } from '../../visitors/segments/rules.ts';
import { lookUp } from '../../visitors/segments/settle.ts';
import { conditionOf, isStored } from './leaves.ts';

/** The conditions that hold, if together they match; undefined if they don't. Null conditions always match. */
export type Verdict = RecordCondition[] | undefined;

type Holds = (condition: RecordCondition) => boolean;

function verdictOf(part: ConditionPart, holds: Holds): Verdict {
  if (!isConditionGroup(part)) return holds(part) ? [part] : undefined;
  if ('none' in part) return part.none.some((one) => verdictOf(one, holds)) ? undefined : [];
  const verdicts = ('all' in part ? part.all : part.any).map((one) => verdictOf(one, holds));
  const matching = verdicts.filter((one) => one !== undefined);
  const matches = 'all' in part ? matching.length === verdicts.length : matching.length > 0;
  return matches ? matching.flat() : undefined;
}

const keyOf = (condition: RecordCondition): string => JSON.stringify(condition);

interface StoredRecord {
  id: number;
  visitor_id: number;
  held: boolean[];
}

/** Which of these conditions hold for each record, in one statement: a hundred rules read a record once. */
async function readRecords(
  ctx: SiteContext,
  kind: RuleSubject,
  ids: readonly number[],
  conditions: readonly RecordCondition[],
): Promise<StoredRecord[]> {
  const parts = [];
  for (const one of conditions) parts.push(isStored(one) ? await conditionOf(ctx, kind, one) : sql`false`);
  const held = parts.length === 0 ? sql`'{}'::boolean[]` : sql`array[${sql.join(parts)}]::boolean[]`;
  const from =
    kind === 'ticket'
      ? sql`t.requester_id as visitor_id, ${held} as held from tickets t where t.site_id = ${ctx.site.id} and t.id`
      : sql`c.visitor_id, ${held} as held from conversations c where c.site_id = ${ctx.site.id} and c.id`;
  const { rows } = await sql<StoredRecord>`
    select ${kind === 'ticket' ? sql`t.id` : sql`c.id`}, ${from} = any (${ids}::bigint[])`.execute(ctx.db);
  return rows;
}

const readVisitors = async (
  { db, site }: SiteContext,
  ids: readonly number[],
): Promise<Map<number, Judged>> => {
  const rows = await db
    .selectFrom('visitors')
    .select(['id', 'key', 'email', 'name', 'attributes', 'first_seen_at', 'last_seen_at'])
    .where('site_id', '=', site.id)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

type OfVisitor = Exclude<RecordCondition, Parameters<typeof conditionOf>[2]>;

/** Evaluates conditions on visitors as segments do. */
async function judgeVisitors(
  ctx: SiteContext,
  ids: readonly number[],
  conditions: readonly OfVisitor[],
): Promise<Map<number, ReadonlySet<string>>> {
  const found = new Map<number, ReadonlySet<string>>();
  if (conditions.length === 0 || ids.length === 0) return found;
  const needs = joinNeeds(conditions.map((one) => needsOf({ all: [one] })));
  for (const [id, visitor] of await readVisitors(ctx, ids)) {
    const reached = needs.length > 0 ? (await lookUp(ctx.db, ctx.site.id, id, needs)).reached : () => null;
    const facts: Facts = { visitor, now: ctx.now(), reached };
    found.set(id, new Set(conditions.filter((one) => evaluate(one, facts) === true).map(keyOf)));
  }
  return found;
}

/**
 * Judges chats or tickets by several groups of conditions. The one evaluation of nested conditions: rules, trials and
 * whatever else chooses records by conditions use it.
 * @returns for each record that exists, a verdict for each group, in their order
 */
export async function judgeRecords(
  ctx: SiteContext,
  kind: RuleSubject,
  ids: readonly number[],
  groups: readonly (ConditionGroup | null)[],
): Promise<Map<number, Verdict[]>> {
  const all = groups.flatMap((group) => (group ? conditionsIn(group) : []));
  const conditions = [...new Map(all.map((one) => [keyOf(one), one])).values()];
  const records = await readRecords(ctx, kind, ids, conditions);
  const ofVisitors = conditions.filter((one): one is OfVisitor => !isStored(one));
  const visitors = await judgeVisitors(
    ctx,
    records.map((one) => one.visitor_id),
    ofVisitors,
  );
  return new Map(
    records.map(({ id, visitor_id, held }) => {
      const stored = new Set(conditions.filter((_, at) => held[at]).map(keyOf));
      const ofVisitor = visitors.get(visitor_id);
      const holds: Holds = (one) => stored.has(keyOf(one)) || ofVisitor?.has(keyOf(one)) === true;
      return [id, groups.map((group) => (group ? verdictOf(group, holds) : []))];
    }),
  );
}
