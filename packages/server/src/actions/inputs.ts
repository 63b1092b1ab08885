import type { ActionInput } from '@foyer/protocol';
import { ACTION_VALUE_MAX } from '@foyer/protocol/values/bounds';
import { z } from 'zod';
import { folded } from '../text/words.ts';

/** Why a text isn't a valid value of an input. */
export type InputProblem = ActionInput['kind'] | 'length' | 'range';
export type InputRead = { readonly value: string } | { readonly problem: InputProblem };

const CODE = /^#?[\p{L}\p{N}][\p{L}\p{N}\-_/.]{0,59}$/u;
const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{1,6})?$/;
const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const email = z.email();

/** As `2026-03-01`; undefined for a day that doesn't exist, or if day and month are ambiguous. */
function dateOf(text: string): string | undefined {
  const iso = ISO_DATE.exec(text);
  const german = DAY_FIRST.exec(text);
  const slashed = SLASHED.exec(text);
  let parts: (string | undefined)[] | undefined;
  if (iso) parts = [iso[1], iso[2], iso[3]];
  else if (german) parts = [german[3], german[2], german[1]];
  else if (slashed) {
    const [, first, second, year] = slashed;
    if (Number(first) > 12) parts = [year, second, first];
    else if (Number(second) > 12 || first === second) parts = [year, first, second];
  }
  if (parts === undefined) return undefined;
  const [year = '', month = '', day = ''] = parts;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date) ? date : undefined;
}

function readNumber(text: string, { min, max }: ActionInput): InputRead {
  if (!NUMBER.test(text)) return { problem: 'number' };
  const value = Number(text.replace(',', '.'));
  if ((min !== null && value < min) || (max !== null && value > max)) return { problem: 'range' };
  return { value: String(value) };
}

function readText(text: string, { min, max }: ActionInput): InputRead {
  const { length } = [...text];
  if (length < (min ?? 1) || length > Math.min(max ?? ACTION_VALUE_MAX, ACTION_VALUE_MAX))
    return { problem: 'length' };
  return { value: text };
}

/** Reads what a visitor or a model says as an input: its value as it is sent, or why it isn't valid. */
export function readInput(input: ActionInput, said: string): InputRead {
  const text = said.normalize('NFC').replace(/\s+/g, ' ').trim();
  switch (input.kind) {
    case 'text':
      return readText(text, input);
    case 'code':
      return CODE.test(text) ? readText(text.replace(/^#/, ''), input) : { problem: 'code' };
    case 'number':
      return readNumber(text, input);
    case 'date': {
      const value = dateOf(text);
      return value === undefined ? { problem: 'date' } : { value };
    }
    case 'email':
      return text.length <= 254 && email.safeParse(text).success ? { value: text } : { problem: 'email' };
    case 'choice': {
      const value = input.choices.find((choice) => folded(choice) === folded(text));
      return value === undefined ? { problem: 'choice' } : { value };
    }
  }
}

const MASKED = '•••';

/** The values as the log keeps them: those of masked inputs are dots, and fields of answers are omitted. */
export function loggedInput(
  inputs: readonly ActionInput[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = inputs.filter(({ name }) => (values[name] ?? '') !== '');
  return Object.fromEntries(known.map(({ name, masked }) => [name, masked ? MASKED : (values[name] ?? '')]));
}
