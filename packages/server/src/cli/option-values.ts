import { PLANS, ROLES } from '@foyer/protocol';
import { InvalidArgumentError, Option } from 'commander';

/** Ids are integers from 1 to 2^53 − 1. */
export function idValue(text: string): number {
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be an id: a whole number of at least 1.');
}

/** Mandatory; its value is a number. The commands check whether the site exists. */
export const siteOption = (): Option =>
  new Option('--site <id>', 'the site, by its id (foyer site list)').argParser(idValue).makeOptionMandatory();

/** Optional unless the caller makes it mandatory; only PLANS are accepted. */
export const planOption = (says = 'the plan'): Option => new Option('--plan <plan>', says).choices(PLANS);

/** Defaults to `agent`; only ROLES are accepted. */
export const roleOption = (): Option =>
  new Option('--role <role>', 'what the person may do').choices(ROLES).default('agent');

/** Mandatory, so that nobody gets write access by default. */
export const scopesOption = (): Option =>
  new Option('--scopes <scopes>', 'what the token may do')
    .choices(['read', 'read,write'])
    .makeOptionMandatory();
