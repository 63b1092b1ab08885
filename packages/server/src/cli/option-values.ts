import { PLANS, ROLES } from '@foyer/protocol';
import { InvalidArgumentError, Option } from 'commander';

/** Ids are integers from 1 to 2^53 − 1. */
export function idValue(text: string): number {
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('Must be an id: a whole number from 1.');
}

/** Mandatory; its value is a number. The commands check whether the site exists. */
export const siteOption = (): Option =>
  new Option('--site <id>', 'id of the site (see foyer site list)').argParser(idValue).makeOptionMandatory();

/** Optional unless the caller makes it mandatory; only PLANS are accepted. */
export const planOption = (says = 'plan of the site'): Option =>
  new Option('--plan <plan>', says).choices(PLANS);

/** Defaults to `agent`; only ROLES are accepted. */
export const roleOption = (): Option =>
  new Option('--role <role>', 'role of the agent').choices(ROLES).default('agent');

/** Mandatory, so that nobody gets write access by default. */
export const scopesOption = (): Option =>
  new Option('--scopes <scopes>', 'permissions of the token')
    .choices(['read', 'read,write'])
    .makeOptionMandatory();
