import type { SiteContext } from '../../core/context.ts';
import type { Decision } from '../answer/answer.ts';
import { answererOf } from '../answer/site-answers.ts';
import { afterKnowledge, decideByRule } from '../rules/turn-rules.ts';
import { situationOf } from '../situation.ts';

export type Ask = (question: string) => Promise<Decision>;

/**
 * What the bot would do with a question that begins a chat at `at`, with the current knowledge and rules, even while it
 * is switched off. Nothing is written, and no language model is asked, so the same knowledge always gives the same
 * answers.
 */
export async function rehearsal(ctx: SiteContext, at: Date): Promise<Ask> {
  const [situation, answer] = await Promise.all([situationOf(ctx, at), answererOf(ctx)]);
  return async (question) =>
    decideByRule({ ...situation, isOff: false, question })?.decision ??
    afterKnowledge({ ...situation, question }, await answer(question)).decision;
}
