import { z } from 'zod';
import { SPAM_REASONS } from '../values/wire-names.ts';
import { agentRef, utc } from '../values.ts';

/** The mark that makes a chat or ticket spam, beside its status. */
export const spamMark = z.object({
  marked_utc: utc,
  reason: z
    .enum(SPAM_REASONS)
    .describe(
      '`team`: an agent or a token marked it; `phrase`: it contains a blocked phrase; `blocked`: its sender is blocked',
    ),
  by: agentRef.nullable().describe('The agent who marked it; null if no agent did'),
});
export type SpamMark = z.infer<typeof spamMark>;
