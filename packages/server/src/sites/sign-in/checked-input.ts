import type { z } from 'zod';
import { invalidInput, issuesOf } from '../../base/errors.ts';

/**
 * Parses what comes by a way that has no operation: the command line, set-up, invitations.
 * @throws AppError 400 with every issue.
 */
export function checkedInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  return parsed.data;
}
