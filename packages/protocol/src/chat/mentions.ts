import { z } from 'zod';
import { id, text } from '../values.ts';

/** Mentions per note. */
export const MENTIONS_MAX = 20;

/** A mentioned agent or team: the note's text contains `@` and the name as written. */
export const mention = z.strictObject({
  id,
  name: text(1, 200),
  kind: z.literal('team').describe('Only for a team, whose members it mentions').optional(),
});
export type Mention = z.infer<typeof mention>;

export const mentions = z
  .array(mention)
  .max(MENTIONS_MAX, `must have at most ${MENTIONS_MAX} agents and teams`)
  .refine(
    (named) => new Set(named.map((one) => `${one.kind} ${one.id}`)).size === named.length,
    'must not repeat an agent or team',
  );
