import type { FieldValue, FieldValues } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import type { Person } from '../visitors/person/person-queries.ts';
import { FieldsPart } from './FieldsPart.tsx';

/** A page may store any kind of value in a field's attribute; values that no field can hold aren't shown. */
const valuesOf = ({ attributes }: Person): FieldValues =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, FieldValue] => entry[1] !== null),
  );

/** The custom fields of a person, which are attributes. */
export function PersonFields({ person }: { person: Person }) {
  const client = useQueryClient();
  return (
    <FieldsPart
      owner="people"
      values={valuesOf(person)}
      save={async (attributes) => {
        await call('visitors.update', { key: person.key, attributes });
        await client.invalidateQueries({ queryKey: ['visitors'] });
      }}
    />
  );
}
