import type { Field, FieldChanges, FieldValues } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../desk/DeskContext.tsx';
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

/** Changing a person is another permission than answering. */
const NEEDS: Record<FieldOwner, Permission> = { tickets: 'answer', chats: 'answer', people: 'people' };

/** The custom fields of a ticket, chat or person, each saved when it is left. Sites without fields don't show it. */
export function FieldsPart({ owner, values, isDone = false, save }: FieldsPartProps) {
  const mayChange = useMay(NEEDS[owner]);
  const fields = fieldsOf(useQuery(customFieldsQuery).data?.items, owner);
  if (fields.length === 0) return null;
  const isMissing = (field: Field): boolean => field.required && !isDone && !Object.hasOwn(values, field.key);
  return (
    <Part title={t(`of_${owner}`)}>
      <fieldset disabled={!mayChange} className="space-y-2">
        {fields.map((field) => (
          <FieldInput
            key={field.id}
            field={field}
            value={values[field.key]}
            isMissing={isMissing(field)}
            save={(value) => save({ [field.key]: value })}
          />
        ))}
      </fieldset>
    </Part>
  );
}
