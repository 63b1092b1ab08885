import type { FieldQuestion } from '../../chat/pre-chat.ts';
import type { FieldKind } from './field-names.ts';

const INPUTS = { text: 'text', number: 'number', date: 'date', link: 'url' } as const;

/** What a question about a custom field is made of. */
export interface AskedField {
  name: string;
  kind: FieldKind;
  choices: string[];
}

/** A custom field as the widget asks for it; `yesNo` are the two answers of a yes/no field in the visitor's language. */
export function fieldQuestion(
  place: Pick<FieldQuestion, 'of' | 'key' | 'required'>,
  { name, kind, choices }: AskedField,
  yesNo: readonly [string, string],
): FieldQuestion {
  const question = { ...place, label: name, input: 'text' as const };
  if (kind === 'choice' || kind === 'choices') return { ...question, kind, options: choices };
  if (kind === 'yes_no') return { ...question, kind: 'choice', options: [...yesNo] };
  return { ...question, kind: 'text', input: INPUTS[kind], options: [] };
}
