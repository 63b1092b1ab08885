import type { ActionInput, Language } from '@foyer/protocol';
import { ACTION_VALUE_MAX } from '@foyer/protocol/values/bounds';
import type { InputProblem } from '../../actions/inputs.ts';
import { folded } from '../../text/words.ts';
import { ACTION_WORDS, type ActionWords } from './action-words.ts';

type Button = Extract<keyof ActionWords, 'yes' | 'no' | 'cancel' | 'skip' | 'again'>;

/** The buttons' labels in all languages: the site may have been shown in another one before. */
const SAID = new Map(
  (['yes', 'no', 'cancel', 'skip', 'again'] as const).map((button) => [
    button,
    new Set(Object.values(ACTION_WORDS).map((words) => folded(words[button]))),
  ]),
);

/** Whether a message is a button's label, with or without a full stop. */
export function saysButton(button: Button, said: string): boolean {
  const text = folded(said.trim()).replace(/[.!。]$/, '');
  return SAID.get(button)?.has(text) ?? false;
}

function rangeOf(min: number | null, max: number | null): string {
  if (min === null) return `≤ ${max}`;
  return max === null ? `≥ ${min}` : `${min}–${max}`;
}

/** Why an entered value isn't valid, in the visitor's language. */
export function problemWith({ min, max }: ActionInput, problem: InputProblem, language: Language): string {
  const words = ACTION_WORDS[language];
  if (problem === 'length' || problem === 'text')
    return words.length.replace('{range}', rangeOf(min ?? 1, max ?? ACTION_VALUE_MAX));
  return words[problem].replace('{range}', rangeOf(min, max));
}
