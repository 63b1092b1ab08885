import { PLANS, ROLES } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { parseScopes } from '@foyer/protocol/values/tokens/token-scopes';
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

const SCOPES_SAY = 'read, read,write, or resources such as tickets:write,visitors:read';

/** Mandatory, so that nobody gets write access by default. */
export const scopesOption = (): Option =>
  new Option('--scopes <scopes>', SCOPES_SAY).argParser(scopesValue).makeOptionMandatory();

/** A token's scopes, as given; the server parses them. */
export function scopesValue(text: string): string {
  if (parseScopes(text)) return text;
  throw new InvalidArgumentError(`Must be ${SCOPES_SAY}.`);
}

/** `90d`, a date or a time, or `never`, as the API accepts it. */
export function expiryValue(text: string): string | null {
  if (text === 'never') return null;
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (days !== undefined) return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Must be days such as 90d, a date such as 2027-01-31, or never.');
}

/** When a token expires; by default never. */
export const expiryOption = (): Option =>
  new Option('--expires <when>', 'days such as 90d, a date, or never').argParser(expiryValue);

/** Where a token works; by default everywhere. */
export const addressesOption = (): Option =>
  new Option(
    '--from <addresses...>',
    'addresses or ranges from which the token works; an empty one means any',
  );
