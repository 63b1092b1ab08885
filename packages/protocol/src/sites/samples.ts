import { z } from 'zod';
import { id } from '../values.ts';

/** Sample data: what would be removed now, and what stays because the team uses it as its own. */
export const samples = z.object({
  /** How many would be removed. */
  articles: z.int(),
  starters: z.int(),
  chats: z.int(),
  visitors: z.int(),
  tickets: z.int(),
  macros: z.int(),
  /** Articles that were edited since, or that somebody is editing. */
  kept_articles: z.array(z.object({ id, title: z.string() })),
  /** Starters that were edited since. */
  kept_starters: z.int(),
  /** Chats from which a ticket was created. */
  kept_chats: z.int(),
  /** The site has no article, so the sample articles can be created. */
  may_create: z.boolean(),
});
export type Samples = z.infer<typeof samples>;

export const sampleContract = {
  'samples.get': { input: z.strictObject({}), output: samples },
  'samples.create': { input: z.strictObject({}), output: samples },
  /** Returns what was removed. Articles can be restored for a while, everything else is gone. */
  'samples.remove': { input: z.strictObject({}), output: samples },
} as const;
