import { SEARCH_MAX } from '@foyer/protocol/values/bounds';

/** Reads the search part of an address. Invalid values are ignored. */

export const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((one) => one === value);

/** A text of at most the server's length. The router parses `?q=42` and `?q=true` as a number and a boolean. */
export function textOf(value: unknown, most = SEARCH_MAX): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value).replaceAll('\0', '').slice(0, most).toWellFormed();
  return text.trim() === '' ? undefined : text;
}

/** A record's id in an address; undefined for anything else. */
export const idOf = (value: unknown): number | undefined => {
  const found = textOf(value);
  return found && /^[1-9]\d{0,14}$/.test(found) ? Number(found) : undefined;
};

/** Without undefined fields, so that the address omits them. */
export const given = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
