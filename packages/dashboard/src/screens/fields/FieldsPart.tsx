import type { Field, FieldChanges, FieldValues } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import { useQuery } from '@tanstack/react-query';
import { Part } from '../inbox/PaneParts.tsx';
import { FieldInput } from './FieldInput.tsx';
import { customFieldsQuery, fieldsOf } from './fields-query.ts';
import { t } from './t.ts';

interface FieldsPartProps {
  owner: FieldOwner;
  values: FieldValues;
  /** The ticket is solved, or the chat closed: nothing is required for that now. */
  isDone?: boolean;
  save: (changes: FieldChanges) => Promise<unknown>;
}

/** The custom fields of a ticket, chat or person, each saved when it is left. Sites without fields don't show it. */
export function FieldsPart({ owner, values, isDone = false, save }: FieldsPartProps) {
  const fields = fieldsOf(useQuery(customFieldsQuery).data?.items, owner);
  if (fields.length === 0) return null;
  const isMissing = (field: Field): boolean => field.required && !isDone && !Object.hasOwn(values, field.key);
  return (
    <Part title={t(`of_${owner}`)}>
      <div className="space-y-2">
        {fields.map((field) => (
          <FieldInput
            key={field.id}
            field={field}
            value={values[field.key]}
            isMissing={isMissing(field)}
            save={(value) => save({ [field.key]: value })}
          />
        ))}
      </div>
    </Part>
  );
}
