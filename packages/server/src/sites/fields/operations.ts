import type { AnyOperation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { createField, deleteField, listFields, updateField } from './fields.ts';

/** Custom fields: everybody reads them, admins and tokens change them. */
export const fieldOperations: AnyOperation[] = resourceOperations({
  name: 'fields',
  record: 'field',
  who: ['token', 'agent'],
  writers: ['token', 'admin'],
  audit: 'field',
  list: {
    summary: 'List custom fields by position, or read one by id',
    records: { id: 'field' },
    tool:
      'List the custom fields of tickets, chats and people, with kind and choices. Look here before you write `fields` ' +
      'of a ticket: required ones must have a value before it can be solved.',
    run: listFields,
  },
  create: {
    summary: 'Create a custom field',
    tool: 'Create a custom field. `choices` is for the kinds choice and choices. `key` and `kind` can’t be changed later.',
    run: createField,
  },
  update: {
    summary: 'Change a custom field, archive or restore it',
    tool: 'Change a custom field. `choices` replaces all. `archived: true` hides it and keeps its values.',
    run: updateField,
  },
  delete: {
    summary: 'Delete a custom field with its values',
    tool: 'Permanently delete a custom field and its values in tickets and chats. Archive it instead (update_field) to keep them.',
    run: (ctx, { id }) => deleteField(ctx, id),
  },
});
