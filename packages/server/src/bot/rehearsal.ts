import type { SiteContext } from '../context.ts';
import { type Decision, decide } from './answer.ts';
import { causeOfHandoff } from './handoff-cause.ts';
import { asksForPerson } from './handoff-request.ts';
import { occasionOf } from './occasion.ts';

export type Ask = (question: string) => Decision;

/**
 * What the bot would do with a question that begins a chat, by the knowledge and the rules as they are now: nothing is
 * written, and no model is asked, so the same knowledge always gives the same answers.
 */
export async function rehearsal(ctx: SiteContext): Promise<Ask> {
  const [index, { rules, occasion }] = await Promise.all([
    ctx.services.indexes.indexOf(ctx.site.id),
    occasionOf(ctx, ''),
  ]);
  return (question) => {
    const why = asksForPerson(question)
      ? undefined
      : causeOfHandoff(rules, { ...occasion, open: true, question });
    return why === undefined ? decide(index, question) : { kind: 'handoff', reason: 'rule', why };
  };
}
