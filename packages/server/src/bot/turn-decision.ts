import { toAppError } from '../base/errors.ts';
import type { Decision } from './answer/answer.ts';
import { answerWithModel } from './answer/model-answer.ts';
import { answererOf } from './answer/site-answers.ts';
import type { Turn } from './bot-turn.ts';
import { decide } from './rules/turn-rules.ts';
import { situationOf } from './situation.ts';

/**
 * Decides how the bot reacts to a visitor's messages. If the bot itself fails, it behaves as if it didn't know, so that a
 * person is called soon and the visitor isn't left waiting.
 * @throws database errors while the database is down: the job is retried.
 */
export async function decideTurn(turn: Turn): Promise<Decision> {
  const { ctx, question, session } = turn;
  try {
    const situation = await situationOf(ctx, ctx.now(), session);
    return await decide({ ...situation, question }, () => answerTurn(turn));
  } catch (error) {
    if (toAppError(error).code === 'unavailable') throw error;
    ctx.log.error({ err: error }, 'the bot failed to decide');
  }
  return { kind: 'unknown', confidence: 0 };
}

async function answerTurn(turn: Turn): Promise<Decision> {
  const { ctx, question, previousQuestion } = turn;
  const written = await answerWithModel(turn);
  if (written !== undefined) return written;
  const answer = await answererOf(ctx);
  return answer(question, previousQuestion);
}
