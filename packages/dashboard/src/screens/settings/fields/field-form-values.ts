import type { Field, InputOf } from '@foyer/protocol';
import { phrasesOf } from '../lines.ts';

export type FieldFormValues = Pick<Field, 'applies_to' | 'kind' | 'name' | 'key' | 'required' | 'visible'> & {
  /** One per line. */
  choices: string;
};

export const newField = (applies_to: Field['applies_to']): FieldFormValues => ({
  applies_to,
  kind: 'text',
  name: '',
  key: '',
  choices: '',
  required: false,
  visible: false,
});

export const valuesOf = ({
  choices,
  applies_to,
  kind,
  name,
  key,
  required,
  visible,
}: Field): FieldFormValues => ({
  ...{ applies_to, kind, name, key, required, visible },
  choices: choices.join('\n'),
});

export const hasChoices = (kind: Field['kind']): boolean => kind === 'choice' || kind === 'choices';

type Common = Pick<InputOf<'fields.update'>, 'name' | 'choices' | 'required' | 'visible'>;

/** What a new field and a changed one have in common. */
export const inputOf = ({
  name,
  kind,
  applies_to,
  choices,
  required,
  visible,
}: FieldFormValues): Common & { name: string } => ({
  name,
  visible,
  ...(hasChoices(kind) && { choices: phrasesOf(choices) }),
  ...(applies_to !== 'people' && { required }),
});
