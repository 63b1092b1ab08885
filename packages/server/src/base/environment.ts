import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws StartError with one line that names the variable */
export const refuse = (name: string, value: string, wanted: string): never => {
  throw new StartError(`${name}=${value} is invalid: expected ${wanted}`);
};

/** A variable's number, or the fallback if it is unset or empty. @throws StartError */
export function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = env[name];
  if (!value) return fallback;
  const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return parsed >= min && parsed <= max
    ? parsed
    : refuse(name, value, `a whole number from ${min} to ${max}`);
}
