/** What agents without a custom role may do; a custom role can take it away. */
export const AGENT_PERMISSIONS = ['answer', 'people', 'articles', 'shared', 'reports'] as const;

/** What otherwise only admins may do; a custom role can grant it. */
export const ADMIN_PERMISSIONS = [
  'delete',
  'personal_data',
  'knowledge',
  'bot',
  'site',
  'email',
  'workflow',
  'integrations',
  'data',
  'audit',
] as const;

/**
 * Everything that a custom role may consist of. Managing agents, roles, sign-in, API tokens and the plan is left to
 * admins, because each of them could be used to become one.
 */
export const PERMISSIONS = [...AGENT_PERMISSIONS, ...ADMIN_PERMISSIONS] as const;
export type Permission = (typeof PERMISSIONS)[number];
