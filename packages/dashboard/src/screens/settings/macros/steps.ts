import type { MacroAction, RuleAction } from '@foyer/protocol';
import { unknownPlaceholders } from '@foyer/protocol/values/macro-text';
import { RULE_ONLY_ACTIONS } from '@foyer/protocol/values/rules/rule-triggers';
import { formatList } from '../../../language.ts';
import { t } from './t.ts';

/** What macros do, in the order in which it is offered. */
export const MACRO_STEPS: readonly MacroAction['type'][] = [
  'reply',
  'note',
  'set_status',
  'set_priority',
  'assign',
  'assign_team',
  'add_tags',
  'remove_tags',
  'snooze',
  'set_field',
  'send_email',
  'call_webhook',
  'block',
];
/** What rules do. */
export const RULE_STEPS: readonly RuleAction['type'][] = [...MACRO_STEPS, ...RULE_ONLY_ACTIONS];

/** The id in a step whose team or agent is still to be chosen. */
export const TO_CHOOSE = 0;

const A_DAY_MINUTES = 1440;

/** A kind of step in the agent's language. */
export const stepWord = (kind: RuleAction['type']): string => t(`step_${kind}`);

/** A new step, with empty fields. */
export function newStep<K extends RuleAction['type']>(kind: K): Extract<RuleAction, { type: K }> {
  // A step has the type that was asked for, which TypeScript can't follow through a switch.
  return emptyStep(kind) as Extract<RuleAction, { type: K }>;
}

function emptyStep(kind: RuleAction['type']): RuleAction {
  switch (kind) {
    case 'reply':
    case 'note':
      return { type: kind, body: '' };
    case 'set_status':
      return { type: kind, status: 'pending' };
    case 'set_priority':
      return { type: kind, priority: 'high' };
    case 'assign':
      return { type: kind, assignee_id: null };
    case 'assign_team':
      return { type: kind, team_id: null };
    case 'add_tags':
    case 'remove_tags':
      return { type: kind, tags: [] };
    case 'snooze':
      return { type: kind, minutes: A_DAY_MINUTES };
    case 'set_field':
      return { type: kind, field: '', value: null };
    case 'send_email':
      return { type: kind, address: '', subject: '', body: '' };
    case 'call_webhook':
      return { type: kind, webhook_id: 0 };
    case 'block':
    case 'stop_bot':
    case 'start_bot':
    case 'request_rating':
      return { type: kind };
  }
}

/** The error of a step, as a sentence; undefined if there is none. */
export function faultOf(step: RuleAction): string | undefined {
  if (step.type === 'assign_team' && step.team_id === TO_CHOOSE) return t('team_empty');
  if ('tags' in step) return step.tags.length === 0 ? t('tags_empty') : undefined;
  if (step.type === 'set_field') return step.field === '' ? t('field_empty') : undefined;
  if (step.type === 'call_webhook') return step.webhook_id === 0 ? t('webhook_empty') : undefined;
  if (!('body' in step)) return undefined;
  if (step.type === 'send_email') {
    if (step.team_id === undefined && !step.address?.includes('@')) return t('email_to_empty');
    if (step.subject.trim() === '') return t('email_subject_empty');
  }
  if (step.body.trim() === '') return t('text_empty');
  const unknown = unknownPlaceholders(step.body);
  if (unknown.length === 0) return undefined;
  return t('unknown', { names: formatList(unknown.map((name) => `{{${name}}}`)) });
}

/** An unused name for a copy, within the length limit. */
export function nameOfCopy(name: string, taken: readonly string[], max: number): string {
  const isTaken = (wanted: string): boolean =>
    taken.some((one) => one.toLocaleLowerCase() === wanted.toLocaleLowerCase());
  for (let number = 1; ; number++) {
    const copyOf = (base: string): string =>
      number === 1 ? t('copy_of', { name: base }) : t('copy_of_number', { name: base, number });
    const over = copyOf(name).length - max;
    const copy = copyOf(over > 0 ? name.slice(0, -over).trimEnd() : name);
    if (!isTaken(copy)) return copy;
  }
}
