/** Choices among which a value that was set elsewhere has its place. */
export const withValue = (choices: readonly number[], value: number): number[] =>
  choices.includes(value) ? [...choices] : [...choices, value].toSorted((one, other) => one - other);
