import { toAppError } from '../base/errors.ts';
import type { Decision, Lookup } from './answer/answer.ts';
import { answerWithModel } from './answer/model-answer.ts';
import { lookupOf } from './answer/site-answers.ts';
import type { Turn } from './bot-turn.ts';
import { afterKnowledge, decideByRule, type RuleName, type Situation } from './rules/turn-rules.ts';
import { situationOf } from './situation.ts';

/** A decision, and how it came about. */
export interface Decided {
  readonly decision: Decision;
  /** A rule, the language model, the site's knowledge, or an error of the bot itself. */
  readonly by: RuleName | 'model' | 'knowledge' | 'error';
  /** Where the site's knowledge has decided. */
  readonly lookup?: Lookup;
}

/**
 * Decides how the bot reacts to a visitor's messages. If the bot itself fails, it behaves as if it didn't know, so that a
 * person is called soon and the visitor isn't left waiting.
 * @throws database errors while the database is down: the job is retried.
 */
export async function decideTurn(turn: Turn): Promise<Decided> {
  const { ctx, question, session } = turn;
  try {
    const situation = await situationOf(ctx, ctx.now(), session);
    return decideByRule({ ...situation, question }) ?? (await answerTurn(turn, situation));
  } catch (error) {
    if (toAppError(error).code === 'unavailable') throw error;
    ctx.log.error({ err: error }, 'the bot failed to decide');
  }
  return { decision: { kind: 'unknown', confidence: 0 }, by: 'error' };
}

async function answerTurn(turn: Turn, { language }: Pick<Situation, 'language'>): Promise<Decided> {
  const { ctx, question, previousQuestion } = turn;
  const written = await answerWithModel(turn);
  if (written !== undefined) return { decision: written, by: 'model' };
  const lookUp = await lookupOf(ctx);
  const lookup = await lookUp(question, previousQuestion);
  return { ...afterKnowledge({ question, language }, lookup.decision), lookup };
}
