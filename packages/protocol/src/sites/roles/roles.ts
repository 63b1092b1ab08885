import { z } from 'zod';
import { NAME_MAX, ROLE_DESCRIPTION_MAX } from '../../values/bounds.ts';
import { PERMISSIONS } from '../../values/sign-in/permissions.ts';
import { deleted, id, text, utc } from '../../values.ts';

const permission = z.enum(PERMISSIONS);

/** A role that a site has made for itself, besides `admin` and `agent`. */
export const customRole = z.object({
  id,
  name: z.string(),
  description: z.string(),
  permissions: z.array(permission),
  agent_count: z.int().describe('Agents who have it'),
  created_utc: utc,
  updated_utc: utc,
});
export type CustomRole = z.infer<typeof customRole>;

const name = text(1, NAME_MAX);
const fields = {
  description: text(0, ROLE_DESCRIPTION_MAX).optional(),
  permissions: z.array(permission).max(PERMISSIONS.length).describe('Replaces all of them').optional(),
};

export const roleContract = {
  'roles.list': { input: z.strictObject({}), output: z.object({ roles: z.array(customRole) }) },
  'roles.create': { input: z.strictObject({ name, ...fields }), output: customRole },
  'roles.update': { input: z.strictObject({ id, name: name.optional(), ...fields }), output: customRole },
  'roles.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
