import { PLANS, ROLES } from '@foyer/protocol';
import { InvalidArgumentError, Option } from 'commander';

/** Ids are integers from 1 to 2^53 − 1. */
export function idValue(text: string): number {
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be an id: a whole number of at least 1.');
}

export const siteOption = (): Option =>
  new Option('--site <id>', 'the site, by its id (foyer site list)').argParser(idValue).makeOptionMandatory();

export const planOption = (says = 'the plan'): Option => new Option('--plan <plan>', says).choices(PLANS);

export const roleOption = (): Option =>
  new Option('--role <role>', 'what the person may do').choices(ROLES).default('agent');

export const scopesOption = (): Option =>
  new Option('--scopes <scopes>', 'what the token may do')
    .choices(['read', 'read,write'])
    .makeOptionMandatory();
