import type { ActionStep, ActionStepOf } from '@foyer/protocol';
import { escapeMarkdown } from '../text/plain-text.ts';
import { fill, type Values } from './template.ts';

/** Steps that are taken without asking or calling; more are a loop. */
const STEPS_AT_ONCE_MAX = 100;

/** Where an action waits, or how it is over. */
export type Stop =
  | { readonly kind: 'ask'; readonly step: ActionStepOf<'ask'> }
  | { readonly kind: 'confirm'; readonly step: ActionStepOf<'confirm'> }
  | { readonly kind: 'call'; readonly step: ActionStepOf<'call'> }
  | { readonly kind: 'handoff' }
  | { readonly kind: 'end' }
  /** A loop that asks for nothing. */
  | { readonly kind: 'lost' };

/** What is said on the way to a stop, as markdown, and what is known there. */
export interface Walk {
  readonly says: readonly string[];
  readonly stop: Stop;
  readonly given: Values;
}

/** Nothing in it is markup, wherever it is put. */
const PLAIN = /^[\p{L}\p{N}]+(?:[ .,/-][\p{L}\p{N}]+)*$/u;

/** A value as text: no markup in it, and no address that becomes a link. */
const asText = (value: string): string =>
  PLAIN.test(value) ? value : escapeMarkdown(value).replace(/:(?=\/\/)|(?<=mailto):/gi, '\\:');

/** A text of the action's owner, as markdown; values in it are only ever text. */
export const textWith = (text: string, values: Values): string => fill(text, values, asText);

const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text.replace(',', '.')));

/** Whether the condition holds. Upper and lower case are the same; what is no number is neither above nor below. */
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

/** Without what the steps from this one on ask for or learn: going back asks again. */
export function givenBefore(steps: readonly ActionStep[], at: number, given: Values): Values {
  const asked = new Set(steps.slice(0, at).flatMap((step) => (step.type === 'ask' ? [step.input.name] : [])));
  return Object.fromEntries(Object.entries(given).filter(([name]) => asked.has(name)));
}

/**
 * Takes steps from `at` on until something has to be asked or called.
 * @param own what is known beside what was given: the visitor's own values.
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

/** Where a visitor is asked once more after a call was refused: the first question since the last call; -1: none. */
export function retryFrom(steps: readonly ActionStep[], callAt: number): number {
  const lastCall = steps.findLastIndex(({ type }, at) => at < callAt && type === 'call');
  return steps.findIndex(({ type }, at) => at > lastCall && at < callAt && type === 'ask');
}

/**
 * Whether steps can come to a call that may change something before the visitor is asked for anything or confirms it.
 * @param given what they are not asked for any more.
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
