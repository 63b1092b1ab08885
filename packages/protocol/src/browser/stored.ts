/** Whether a stored value is an object with text under each of these names. Anything may have written there. */
export const hasTexts = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string');
