import type { Field, FieldQuestion, PreChatField, PreChatQuestion } from '@foyer/protocol';
import { ASKED_FIELD_OWNERS } from '@foyer/protocol/values/fields/field-names';
import { preChatKey } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { t } from './t.ts';

/** A custom field that visitors can be asked for. */
export interface AskableField extends Omit<Field, 'applies_to'> {
  applies_to: (typeof ASKED_FIELD_OWNERS)[number];
}

/** The custom fields of chats and people that visitors may see, in order. */
export function useAskableFields(): AskableField[] {
  const { data } = useQuery(customFieldsQuery);
  return ASKED_FIELD_OWNERS.flatMap((applies_to) =>
    fieldsOf(data?.items, applies_to)
      .filter(({ visible }) => visible)
      .map((field) => ({ ...field, applies_to })),
  );
}

/** Identifies a field in a form. */
export const askedKey = ({ applies_to, key }: Pick<AskableField, 'applies_to' | 'key'>): string =>
  preChatKey({ of: applies_to, key });

const INPUTS = { text: 'text', number: 'number', date: 'date', link: 'url' } as const;

function questionOf(
  { applies_to, key, name, kind, choices }: AskableField,
  required: boolean,
): FieldQuestion {
  const question = { of: applies_to, key, required, label: name, input: 'text' as const };
  if (kind === 'choice' || kind === 'choices') return { ...question, kind, options: choices };
  if (kind === 'yes_no') return { ...question, kind: 'choice', options: [t('yes'), t('no')] };
  return { ...question, kind: 'text', input: INPUTS[kind], options: [] };
}

/** The form as the widget asks it; a field that is gone isn't asked for. */
export const questionsOf = (
  form: readonly PreChatField[],
  fields: readonly AskableField[],
): PreChatQuestion[] =>
  form.flatMap((question): PreChatQuestion[] => {
    if (question.kind !== 'field') return [question];
    const field = fields.find((one) => askedKey(one) === preChatKey(question));
    return field ? [questionOf(field, question.required)] : [];
  });
