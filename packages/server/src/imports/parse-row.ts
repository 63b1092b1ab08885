import type { z } from 'zod';
import { invalidInput, issuesOf } from '../base/errors.ts';

/** @throws AppError 400 with every issue */
export function parseRow<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { data, error } = schema.safeParse(value);
  if (error) throw invalidInput(issuesOf(error));
  return data;
}
