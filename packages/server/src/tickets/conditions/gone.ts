import {
  type ConditionGroup,
  conditionsIn,
  type RecordCondition,
  type RuleSubject,
  type StoredFailure,
} from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

interface Named {
  agents: number[];
  teams: number[];
  segments: number[];
  fields: string[];
}

function namedIn(conditions: readonly RecordCondition[]): Named {
  const named: Named = { agents: [], teams: [], segments: [], fields: [] };
  for (const one of conditions) {
    if ('custom_field' in one) named.fields.push(one.custom_field);
    if ('contains' in one || 'office_hours' in one || 'custom_field' in one) continue;
    if ('attribute' in one || 'event' in one) continue;
    if (typeof one.assignee_id === 'number') named.agents.push(one.assignee_id);
    if (typeof one.team_id === 'number') named.teams.push(one.team_id);
    if (one.segment !== undefined) named.segments.push(one.segment);
  }
  return named;
}

const isEmpty = (named: Named): boolean => Object.values(named).every((list) => list.length === 0);

/** What of it the site doesn't have, or no longer. */
async function missing({ db, site }: SiteContext, kind: RuleSubject, named: Named): Promise<Named> {
  const owner = kind === 'ticket' ? 'tickets' : 'chats';
  const { rows } = await sql<Named>`
    select
      array(select unnest(${named.agents}::bigint[]) except
        select id from agents where site_id = ${site.id} and removed_at is null and id = any (${named.agents}::bigint[])) as agents,
      array(select unnest(${named.teams}::bigint[]) except
        select id from teams where site_id = ${site.id} and id = any (${named.teams}::bigint[])) as teams,
      array(select unnest(${named.segments}::bigint[]) except
        select id from segments where site_id = ${site.id} and id = any (${named.segments}::bigint[])) as segments,
      array(select unnest(${named.fields}::text[]) except
        select key from fields where site_id = ${site.id} and applies_to = ${owner} and archived_at is null
          and key = any (${named.fields}::text[])) as fields`.execute(db);
  return rows[0] ?? named;
}

type Failure = Pick<StoredFailure, 'message' | 'reason' | 'values'>;

function failureOf(kind: RuleSubject, { agents, teams, segments, fields }: Named): Failure | undefined {
  const [field] = fields;
  if (field !== undefined)
    return {
      message: `The conditions name the field ${field}, which ${kind}s don’t have.`,
      reason: `rule_names_${kind}_field`,
      values: { name: field },
    };
  const gone = [
    ...agents.map((id) => ['agent', id] as const),
    ...teams.map((id) => ['team', id] as const),
    ...segments.map((id) => ['segment', id] as const),
  ];
  const [first] = gone;
  if (!first) return undefined;
  const [what, id] = first;
  return {
    message: `The conditions name the ${what} ${id}, which no longer exists.`,
    reason: `rule_names_${what}`,
    values: { name: `#${id}` },
  };
}

/**
 * What groups of conditions name that the site doesn't have, such as a deleted team: they could never match again, and
 * nobody would notice. Tags aren't looked up, because the next one of that name is the same.
 * @returns for each group, why it can’t match, or undefined if it names nothing of that kind
 */
export async function goneIn(
  ctx: SiteContext,
  kind: RuleSubject,
  groups: readonly (ConditionGroup | null)[],
): Promise<(Failure | undefined)[]> {
  const named = groups.map((group) => namedIn(group ? conditionsIn(group) : []));
  const all = namedIn(groups.flatMap((group) => (group ? conditionsIn(group) : [])));
  if (isEmpty(all)) return groups.map(() => undefined);
  const gone = await missing(ctx, kind, all);
  return named.map((one) =>
    failureOf(kind, {
      agents: one.agents.filter((id) => gone.agents.includes(id)),
      teams: one.teams.filter((id) => gone.teams.includes(id)),
      segments: one.segments.filter((id) => gone.segments.includes(id)),
      fields: one.fields.filter((key) => gone.fields.includes(key)),
    }),
  );
}
