import { z } from 'zod';
import { id } from '../values.ts';

/** What came along to try things with, as it would go now, and what of it stays because the team has made it its own. */
export const samples = z.object({
  /** How many would go. */
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
  /** Chats of which a ticket was made. */
  kept_chats: z.int(),
  /** The site has no article: it may take the sample articles. */
  may_create: z.boolean(),
});
export type Samples = z.infer<typeof samples>;

export const sampleContract = {
  'samples.get': { input: z.strictObject({}), output: samples },
  'samples.create': { input: z.strictObject({}), output: samples },
  /** Answers what went; articles can be had back for a while, the rest is gone. */
  'samples.remove': { input: z.strictObject({}), output: samples },
} as const;
