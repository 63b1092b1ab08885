import type { AnyOperation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { createRole, deleteRole, listRoles, updateRole } from './roles.ts';

/** Everybody sees the roles; only admins change what agents may do, and no token does. */
export const roleOperations: AnyOperation[] = resourceOperations({
  name: 'roles',
  record: 'role',
  who: ['agent'],
  writers: ['admin'],
  audit: 'role',
  list: { summary: 'List the custom roles', run: listRoles },
  create: { summary: 'Create a custom role', run: createRole },
  update: { summary: 'Change a custom role', run: updateRole },
  delete: { summary: 'Delete a custom role that no agent has', run: (ctx, { id }) => deleteRole(ctx, id) },
});
