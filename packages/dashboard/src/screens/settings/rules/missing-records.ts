import type { ConditionPart, RecordCondition, Rule, RuleAction } from '@foyer/protocol';
import { OWN_TEXTS, OWN_TIMES } from '../../visitors/segments/rule-draft.ts';
import { TO_CHOOSE } from '../macros/steps.ts';

/** What a rule may refer to. Undefined while it is loading: nothing is missing then. */
export interface KnownRecords {
  agents: readonly number[] | undefined;
  /** Those that work can be assigned to. */
  teams: readonly number[] | undefined;
  segments: readonly number[] | undefined;
  tags: readonly string[] | undefined;
  webhooks: readonly number[] | undefined;
  /** Keys of custom fields of chats and tickets. */
  fields: readonly string[] | undefined;
  /** Attributes that visitors have. */
  attributes: readonly string[] | undefined;
}

/** A reference to something that no longer exists; texts are named, ids mean nothing to a reader. */
export type MissingRecord =
  | { kind: 'agent' | 'team' | 'segment' | 'webhook' }
  | { kind: 'tag' | 'attribute' | 'field'; name: string };

/** All conditions at any depth. */
export function conditionsIn(part: ConditionPart): RecordCondition[] {
  if ('all' in part) return part.all.flatMap(conditionsIn);
  if ('any' in part) return part.any.flatMap(conditionsIn);
  return 'none' in part ? part.none.flatMap(conditionsIn) : [part];
}

const isGone = <T>(known: readonly T[] | undefined, one: T | 'none' | null | undefined): boolean =>
  known !== undefined && one !== undefined && one !== null && one !== 'none' && !known.includes(one);

/** Tags are compared as the server does, regardless of case. */
const isTagGone = (known: KnownRecords, tag: string | undefined): boolean =>
  isGone(
    known.tags?.map((one) => one.toLowerCase()),
    tag?.toLowerCase(),
  );

function missingOf(condition: RecordCondition, known: KnownRecords): MissingRecord[] {
  if ('contains' in condition || 'office_hours' in condition || 'event' in condition) return [];
  if ('custom_field' in condition) {
    const { custom_field: name } = condition;
    return isGone(known.fields, name) ? [{ kind: 'field', name }] : [];
  }
  if ('attribute' in condition) {
    const { attribute: name } = condition;
    const own: readonly string[] = [...OWN_TEXTS, ...OWN_TIMES];
    return !own.includes(name) && isGone(known.attributes, name) ? [{ kind: 'attribute', name }] : [];
  }
  const { assignee_id, team_id, segment, tag = '' } = condition;
  return [
    ...(isGone(known.agents, assignee_id) ? [{ kind: 'agent' as const }] : []),
    ...(isGone(known.teams, team_id) ? [{ kind: 'team' as const }] : []),
    ...(isGone(known.segments, segment) ? [{ kind: 'segment' as const }] : []),
    ...(tag !== '' && isTagGone(known, tag) ? [{ kind: 'tag' as const, name: tag }] : []),
  ];
}

/** Adding a tag that doesn't exist creates it; removing one does nothing. */
function missingFor(action: RuleAction, known: KnownRecords): MissingRecord[] {
  switch (action.type) {
    case 'assign':
      return isGone(known.agents, action.assignee_id) ? [{ kind: 'agent' }] : [];
    case 'assign_team':
      return action.team_id !== TO_CHOOSE && isGone(known.teams, action.team_id) ? [{ kind: 'team' }] : [];
    case 'send_email':
      return isGone(known.teams, action.team_id) ? [{ kind: 'team' }] : [];
    case 'call_webhook':
      return action.webhook_id !== TO_CHOOSE && isGone(known.webhooks, action.webhook_id)
        ? [{ kind: 'webhook' }]
        : [];
    case 'set_field':
      return action.field !== '' && isGone(known.fields, action.field)
        ? [{ kind: 'field', name: action.field }]
        : [];
    case 'remove_tags':
      return action.tags.filter((tag) => isTagGone(known, tag)).map((name) => ({ kind: 'tag', name }));
    default:
      return [];
  }
}

/** What a rule refers to that no longer exists, each once. */
export function missingIn(
  { conditions, actions }: Pick<Rule, 'conditions' | 'actions'>,
  known: KnownRecords,
): MissingRecord[] {
  const all = [
    ...(conditions ? conditionsIn(conditions).flatMap((one) => missingOf(one, known)) : []),
    ...actions.flatMap((action) => missingFor(action, known)),
  ];
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
