import type { SiteContext } from '../context.ts';
import type { SessionRow } from '../conversations/sessions.ts';
import { toAppError } from '../errors.ts';
import type { Decision } from './answer.ts';
import { answerWithModel } from './model-answer.ts';
import { answererOf } from './site-answers.ts';
import { situationOf } from './situation.ts';
import { decide } from './turn-rules.ts';

/** A turn in a chat. */
export interface Turn {
  readonly ctx: SiteContext;
  readonly session: SessionRow;
  /** All that was said since the bot's last turn, as one question. */
  readonly question: string;
  readonly previousQuestion?: string | undefined;
  /** The first message of the question in the chat. */
  readonly firstSeq?: number | undefined;
  /** Shows those who follow the chat what is written of the answer so far; an empty text takes it back. */
  readonly show?: ((soFar: string) => void) | undefined;
}

/**
 * What the bot does with what a visitor said (decisions 8). A fault of the bot's own must not leave the visitor
 * waiting: then it doesn't know, and soon a person is called.
 * @throws what the database throws while it is away: the job is tried again.
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
