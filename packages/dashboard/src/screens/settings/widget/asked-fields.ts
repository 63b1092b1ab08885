import type { Field, PreChatField, PreChatQuestion } from '@foyer/protocol';
import { ASKED_FIELD_OWNERS } from '@foyer/protocol/values/fields/field-names';
import { fieldQuestion } from '@foyer/protocol/values/fields/field-question';
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

/** The form as the widget asks it; a field that is gone isn't asked for. */
export const questionsOf = (
  form: readonly PreChatField[],
  fields: readonly AskableField[],
): PreChatQuestion[] =>
  form.flatMap((question): PreChatQuestion[] => {
    if (question.kind !== 'field') return [question];
    const field = fields.find((one) => askedKey(one) === preChatKey(question));
    const { of, key, required } = question;
    return field ? [fieldQuestion({ of, key, required }, field, [t('yes'), t('no')])] : [];
  });
