import type { MacroAction } from '@foyer/protocol';
import { unknownPlaceholders } from '@foyer/protocol/values/macro-text';
import { formatList } from '../../../language.ts';
import { t } from './t.ts';

type StepKind = MacroAction['type'];

/** In the order in which they are offered. */
export const STEP_KINDS: readonly StepKind[] = [
  'reply',
  'note',
  'set_status',
  'set_priority',
  'assign',
  'assign_team',
  'add_tags',
  'remove_tags',
  'snooze',
];

const A_DAY_MINUTES = 1440;

/** A kind of step in the agent's language. */
export const stepWord = (kind: StepKind): string => t(`step_${kind}`);

/** A new step, with empty fields. */
export function newStep(kind: StepKind): MacroAction {
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
  }
}

/** The error of a step, as a sentence; undefined if there is none. */
export function faultOf(step: MacroAction): string | undefined {
  if ('tags' in step) return step.tags.length === 0 ? t('tags_empty') : undefined;
  if (!('body' in step)) return undefined;
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
