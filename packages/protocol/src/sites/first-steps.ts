import { z } from 'zod';
import { done, utc } from '../values.ts';

/** A new team's first steps, in order. Agents see only their own. */
export const FIRST_STEPS = [
  'snippet',
  'look',
  'article',
  'chat',
  'team',
  'hours',
  'mail',
  'picture',
  'alerts',
] as const;
const step = z.enum(FIRST_STEPS);
export type FirstStep = z.infer<typeof step>;

/** Where the install snippet was last seen, outside this service's own pages. */
export const snippetSighting = z.object({
  origin: z.string(),
  /** Without its query; null while only the launcher was loaded. */
  page_url: z.string().nullable(),
  seen_utc: utc,
  /** False: the site's list of allowed pages doesn't include it, so the chat doesn't open there. */
  allowed: z.boolean(),
});
export type SnippetSighting = z.infer<typeof snippetSighting>;

export const firstSteps = z.object({
  /** Derived from the current data, not stored. */
  steps: z.array(z.object({ step, done: z.boolean() })),
  snippet: snippetSighting.nullable(),
  /** This agent has dismissed them. */
  put_away: z.boolean(),
});
export type FirstSteps = z.infer<typeof firstSteps>;

export const firstStepsContract = {
  'first_steps.get': { input: z.strictObject({}), output: firstSteps },
  'first_steps.put_away': { input: z.strictObject({ put_away: z.boolean() }), output: done },
} as const;
