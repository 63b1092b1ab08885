import type { ActionStep, ActionStepOf } from '@foyer/protocol';
import { escapeMarkdown } from '../text/plain-text.ts';
import { fill, type Values } from './template.ts';

/** Steps in a row without a question or a call; more must be a loop. */
const STEPS_AT_ONCE_MAX = 100;

/** Where an action waits, or how it ended. */
export type Stop =
  | { readonly kind: 'ask'; readonly step: ActionStepOf<'ask'> }
  | { readonly kind: 'confirm'; readonly step: ActionStepOf<'confirm'> }
  | { readonly kind: 'call'; readonly step: ActionStepOf<'call'> }
  | { readonly kind: 'handoff' }
  | { readonly kind: 'end' }
  /** A loop without a question or a call. */
  | { readonly kind: 'lost' };

/** What the steps said on the way to a stop, as markdown, and the values known there. */
export interface Walk {
  readonly says: readonly string[];
  readonly stop: Stop;
  readonly given: Values;
}

/** Nothing in it is markup, wherever it is put. */
const PLAIN = /^[\p{L}\p{N}]+(?:[ .,/-][\p{L}\p{N}]+)*$/u;

/** A value as text, without markup, and without addresses that would become links. */
const asText = (value: string): string =>
  PLAIN.test(value) ? value : escapeMarkdown(value).replace(/:(?=\/\/)|(?<=mailto):/gi, '\\:');

/** A text of the action's owner, as markdown; the values in it are escaped. */
export const textWith = (text: string, values: Values): string => fill(text, values, asText);

const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text.replace(',', '.')));

/** Whether the condition holds. Ignores case; a text that is no number is neither above nor below. */
export function holds({ field, operator, value }: ActionStepOf<'if'>, values: Values): boolean {
  const own = (Object.hasOwn(values, field) ? (values[field] ?? '') : '').toLowerCase();
  const other = value.toLowerCase();
  switch (operator) {
    case 'is':
      return own === other;
    case 'is_not':
      return own !== other;
    case 'contains':
      return own.includes(other);
    case 'above':
      return numberOf(own) > numberOf(other);
    case 'below':
      return numberOf(own) < numberOf(other);
    case 'has_value':
      return own !== '';
    case 'has_no_value':
      return own === '';
  }
}

/** Without what this step and later ones ask for or learn: going back asks again. */
export function givenBefore(steps: readonly ActionStep[], at: number, given: Values): Values {
  const asked = new Set(steps.slice(0, at).flatMap((step) => (step.type === 'ask' ? [step.input.name] : [])));
  return Object.fromEntries(Object.entries(given).filter(([name]) => asked.has(name)));
}

/**
 * Takes steps from `at` on, up to the next question or call.
 * @param own the visitor's own values, known besides the given ones
 */
export function walk(steps: readonly ActionStep[], at: number, given: Values, own: Values): Walk {
  const says: string[] = [];
  let known = given;
  let here = at;
  for (let taken = 0; taken < STEPS_AT_ONCE_MAX; taken++) {
    const step = steps[here];
    const values = { ...known, ...own };
    const stopAt = (stop: Stop): Walk => ({ says, stop, given: known });
    if (step === undefined || step.type === 'end') return stopAt({ kind: 'end' });
    if (step.type === 'call') return stopAt({ kind: 'call', step });
    if (step.type === 'ask' && !Object.hasOwn(known, step.input.name)) {
      says.push(textWith(step.question, values));
      return stopAt({ kind: 'ask', step });
    }
    if (step.type === 'say' || step.type === 'confirm') says.push(textWith(step.text, values));
    if (step.type === 'confirm') return stopAt({ kind: 'confirm', step });
    if (step.type === 'handoff') {
      if (step.text !== '') says.push(textWith(step.text, values));
      return stopAt({ kind: 'handoff' });
    }
    const jumps = step.type === 'if' && holds(step, values);
    const next = jumps ? steps.findIndex(({ id }) => id === step.go_to) : here + 1;
    if (next <= here) known = givenBefore(steps, next, known);
    here = next;
  }
  return { says: [], stop: { kind: 'lost' }, given: known };
}

/** The question to repeat after a refused call: the first since the previous call; -1 if there is none. */
export function retryFrom(steps: readonly ActionStep[], callAt: number): number {
  const lastCall = steps.findLastIndex(({ type }, at) => at < callAt && type === 'call');
  return steps.findIndex(({ type }, at) => at > lastCall && at < callAt && type === 'ask');
}

/**
 * Whether the steps can reach a call that may change something before the visitor is asked for anything or confirms it.
 * @param given inputs that are no longer asked for.
 */
export function mayChangeAtOnce(steps: readonly ActionStep[], given: Values): boolean {
  const seen = new Set<number>();
  const ahead = [0];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const step = steps[at];
    if (step === undefined || seen.has(at)) continue;
    seen.add(at);
    if (step.type === 'call' && step.method !== 'GET') return true;
    if (step.type === 'if') ahead.push(steps.findIndex(({ id }) => id === step.go_to));
    const waits = step.type === 'confirm' || (step.type === 'ask' && !Object.hasOwn(given, step.input.name));
    if (!waits && step.type !== 'end' && step.type !== 'handoff') ahead.push(at + 1);
  }
  return false;
}
