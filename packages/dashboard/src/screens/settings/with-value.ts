/** Adds a value that was set elsewhere to the choices, in order. */
export const withValue = (choices: readonly number[], value: number): number[] =>
  choices.includes(value) ? [...choices] : [...choices, value].toSorted((one, other) => one - other);
