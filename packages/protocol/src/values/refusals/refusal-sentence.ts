import { ERROR_REASONS, type ErrorReason, type ReasonValues, type StoredFailure } from '../../errors.ts';
import type { Gaps } from '../phrases.ts';
import { TICKET_STATUSES } from '../wire-names.ts';
import type { words as english } from './en.ts';

type Words = typeof english;

/** Fills a phrase of a language's table, which is beside this file. */
type Say = (key: keyof Words, values: Readonly<Record<Gaps<Words[keyof Words]>, string | number>>) => string;

/** The server's own messages: an error without a reason says more than its code. */
export const SERVER_LANGUAGE = 'en';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = {
  name: '',
  count: 0,
  megabytes: 0,
  from: '',
  to: '',
  user: '',
  detail: '',
  command: 'npx foyer user reset-two-factor',
};

function stateWord(value: unknown, say: Say): string {
  const state = TICKET_STATUSES.find((one) => one === value);
  return state ? say(`state_${state}`, NO_VALUES) : '';
}

// A newer server may have more reasons.
const isErrorReason = (value: unknown): value is ErrorReason =>
  ERROR_REASONS.some((reason) => reason === value);

function reasonWords(reason: ErrorReason, values: ReasonValues, say: Say): string {
  const filled = { ...NO_VALUES, ...values };
  return say(`reason_${reason}`, {
    ...filled,
    from: stateWord(values.from, say),
    to: stateWord(values.to, say),
    name: values.name === '' ? say('somebody', NO_VALUES) : filled.name,
  });
}

/** The server's error as a sentence in an agent's language. */
export function refusalSentence(
  { code, message, reason, values = {} }: StoredFailure,
  language: string,
  say: Say,
): string {
  if (isErrorReason(reason)) return reasonWords(reason, values, say);
  return language === SERVER_LANGUAGE ? message : say(`code_${code}`, NO_VALUES);
}
