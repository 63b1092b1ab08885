/** Reads what an address says; what makes no sense in it counts as not there. */

export const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((one) => one === value);

/** The router reads `?q=42` and `?q=true` as a number and a truth. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value) || undefined
    : undefined;

export const idOf = (value: unknown): number | undefined => {
  const found = textOf(value);
  return found && /^[1-9]\d{0,14}$/.test(found) ? Number(found) : undefined;
};

/** Without what is not there: an address says nothing of it. */
export const given = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
