import type { z } from 'zod';
import { invalidInput, issuesOf } from '../../base/errors.ts';

/**
 * Parses input that doesn't belong to an operation: the command line, setup, invitations.
 * @throws AppError 400 with every issue
 */
export function checkedInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  return parsed.data;
}
