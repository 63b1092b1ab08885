import type { ActionStep } from '@foyer/protocol';
import { t } from './t.ts';

type StepKind = ActionStep['type'];

/** In the order in which they are offered. */
export const STEP_KINDS: readonly StepKind[] = ['ask', 'confirm', 'call', 'say', 'if', 'handoff', 'end'];

/** Longest text that a heading quotes. */
const QUOTED_MAX = 80;

const newId = (): string => Math.random().toString(36).slice(2, 10);

/** A name that no step asks for yet: `input`, `input_2`. */
function newName(steps: readonly ActionStep[]): string {
  const taken = new Set(steps.flatMap((step) => (step.type === 'ask' ? [step.input.name] : [])));
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'input' : `input_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** A step as it is added, before anything is filled in. */
export function newStep(type: StepKind, steps: readonly ActionStep[]): ActionStep {
  const id = newId();
  switch (type) {
    case 'ask':
      return {
        id,
        type,
        question: '',
        input: {
          name: newName(steps),
          kind: 'text',
          min: null,
          max: null,
          choices: [],
          required: true,
          masked: false,
        },
      };
    case 'say':
    case 'confirm':
    case 'handoff':
      return { id, type, text: '' };
    case 'call':
      return { id, type, method: 'GET', url: '', headers: [], body: '', timeout_s: 10, refused_text: '' };
    case 'if':
      return { id, type, field: 'result.status', operator: 'is', value: '', go_to: steps[0]?.id ?? id };
    case 'end':
      return { id, type };
  }
}

/** What most actions do: ask for one thing, look it up and say what was found. */
export function firstSteps(): ActionStep[] {
  const ask = newStep('ask', []);
  const call = newStep('call', []);
  const say = newStep('say', []);
  if (ask.type === 'ask') ask.input = { ...ask.input, name: 'order', kind: 'code' };
  return [ask, call, say];
}

const quoted = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > QUOTED_MAX ? `${flat.slice(0, QUOTED_MAX)}…` : flat || '…';
};

/** Where a step is, from 1; 0 for one that is gone. */
export const numberOf = (steps: readonly ActionStep[], id: string): number =>
  steps.findIndex((step) => step.id === id) + 1;

/** A step as a sentence. */
export function stepSentence(step: ActionStep, steps: readonly ActionStep[]): string {
  switch (step.type) {
    case 'ask':
      return t('sentence_ask', { text: quoted(step.question) });
    case 'say':
      return t('sentence_say', { text: quoted(step.text) });
    case 'confirm':
      return t('sentence_confirm', { text: quoted(step.text) });
    case 'call':
      return t('sentence_call', { method: step.method, url: quoted(step.url) });
    case 'handoff':
      return t('sentence_handoff');
    case 'end':
      return t('sentence_end');
    case 'if': {
      const { field, operator, value, go_to } = step;
      const condition = t(`condition_${operator}`, { field, value: quoted(value) });
      return t('sentence_if', { condition, number: String(numberOf(steps, go_to) || '?') });
    }
  }
}

/** The names that texts, addresses and conditions can use. */
export const variablesOf = (steps: readonly ActionStep[], verified: boolean): string[] => [
  ...steps.flatMap((step) => (step.type === 'ask' ? [step.input.name] : [])),
  ...(verified ? ['visitor.key', 'visitor.email'] : []),
  ...(steps.some(({ type }) => type === 'call') ? ['result.…'] : []),
];
