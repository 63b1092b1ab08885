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

/** @returns a host with its port, an IPv6 address without its brackets; undefined for anything else */
export function hostAndPort(text: string, defaultPort: number): { host: string; port: number } | undefined {
  const [, host, digits] = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = Number(digits ?? defaultPort);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port };
}
