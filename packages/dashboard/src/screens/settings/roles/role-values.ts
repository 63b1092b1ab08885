import type { CustomRole } from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';

export interface RoleValues {
  name: string;
  description: string;
  permissions: Permission[];
}

export const NEW_ROLE: RoleValues = { name: '', description: '', permissions: [] };

export const valuesOf = ({ name, description, permissions }: CustomRole): RoleValues => ({
  name,
  description,
  permissions,
});

/** With or without one permission. */
export const toggled = (permissions: readonly Permission[], one: Permission): Permission[] =>
  permissions.includes(one) ? permissions.filter((other) => other !== one) : [...permissions, one];
