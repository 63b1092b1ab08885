import { NAME_MAX, type Role } from '@foyer/protocol';
import type { SignInRefusal } from '@foyer/protocol/values/sign-in/single-sign-on';
import { accountEmail, personName } from '../sign-in/accounts.ts';
import type { Claims } from './identity-client.ts';
import type { ProviderRow } from './providers.ts';

/** A refused sign-in with a provider. */
export class SignInRefused extends Error {
  readonly reason: SignInRefusal;
  readonly email: string | undefined;
  /** For the operator and the audit log: the words of the provider, or of the check of its response. */
  readonly detail: string | undefined;

  constructor(reason: SignInRefusal, { email, detail }: { email?: string; detail?: string } = {}) {
    super(`the sign-in was refused: ${reason}`);
    this.name = 'SignInRefused';
    this.reason = reason;
    this.email = email;
    this.detail = detail;
  }
}

/** A value at a name, or at a path such as `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (path in claims) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Claims without which a sign-in queries the user info endpoint too. */
export const wantedClaims = ({ groups_claim }: Pick<ProviderRow, 'groups_claim'>): string[] =>
  ['email', groups_claim?.split('.', 1)[0]].filter((name) => name !== undefined);

/**
 * The role that a person's groups give them: the highest of those that match, the default for none.
 * @returns undefined if groups don't decide, or the provider doesn't send them because there are too many
 */
export function roleByGroups(
  { groups_claim: path, group_roles, default_role }: ProviderRow,
  claims: Claims,
): Role | undefined {
  if (path === null) return undefined;
  const given = claimAt(claims, path);
  // Microsoft then refers to another endpoint.
  const elsewhere = claims._claim_names;
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && path in elsewhere;
  if (given === undefined && isElsewhere) return undefined;
  return roleAmong({ group_roles, default_role }, new Set(Array.isArray(given) ? given : [given]));
}

/** The highest role that these groups give, by their names; the default for none. */
export function roleAmong(
  { group_roles, default_role }: Pick<ProviderRow, 'group_roles' | 'default_role'>,
  groups: ReadonlySet<unknown>,
): Role {
  const roles = group_roles.filter(({ group }) => groups.has(group)).map(({ role }) => role);
  if (roles.includes('admin')) return 'admin';
  return roles[0] ?? default_role;
}

const isTrue = (value: unknown): boolean => [true, 'true', 1, '1'].some((yes) => yes === value);

/**
 * The address that identifies a person. Only one that the provider reports as verified, of one of its domains: any
 * other could be somebody else's.
 * @throws SignInRefused
 */
export function provenEmail({ domains }: Pick<ProviderRow, 'domains'>, claims: Claims): string {
  const email = accountEmail.safeParse(claims.email).data;
  if (email === undefined) throw new SignInRefused('no_email');
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new SignInRefused('domain', { email });
  // Microsoft has a claim of its own.
  if (!isTrue(claims.email_verified) && !isTrue(claims.xms_edov))
    throw new SignInRefused('unverified', { email });
  return email;
}

/** The name of a new agent; without one, what precedes the @ of the address. */
export function nameIn(claims: Readonly<Record<string, unknown>>, email: string): string {
  const { name, given_name, family_name } = claims;
  const parts = [given_name, family_name].filter((part) => typeof part === 'string').join(' ');
  const candidates = [name, parts, email.split('@', 1)[0]];
  for (const candidate of candidates) {
    const text = typeof candidate === 'string' ? candidate.trim().slice(0, NAME_MAX) : '';
    const parsed = personName.safeParse(text.toWellFormed());
    if (parsed.success) return parsed.data;
  }
  return email.slice(0, NAME_MAX);
}
