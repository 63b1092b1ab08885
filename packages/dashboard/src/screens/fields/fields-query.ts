import type { Field } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import { queryOptions } from '@tanstack/react-query';
import { callPages } from '../../api.ts';
import { teamsQuery } from '../../queries.ts';

/** Every custom field by position, archived ones too. Its key is within that of teams: they are loaded again together. */
export const customFieldsQuery = queryOptions({
  queryKey: [...teamsQuery.queryKey, 'fields'],
  queryFn: ({ signal }) => callPages('fields.list', { state: 'all' }, signal),
});

/** The fields of tickets, chats or people that can have values now, in order. */
export const fieldsOf = (fields: readonly Field[] | undefined, owner: FieldOwner): Field[] =>
  (fields ?? [])
    .filter(({ applies_to, archived_utc }) => applies_to === owner && archived_utc === null)
    .toSorted((one, other) => one.position - other.position || one.id - other.id);
