import { usableActions } from '../actions/actions.ts';
import { actionsFor, namedAction } from '../actions/matching.ts';
import { toAppError } from '../base/errors.ts';
import type { SessionRow } from '../conversations/sessions.ts';
import { type ActionTurn, actionTurn, beginningOf } from './actions/action-turn.ts';
import type { Decision, Lookup } from './answer/answer.ts';
import { answerWithModel } from './answer/model-answer.ts';
import { lookupOf } from './answer/site-answers.ts';
import type { Turn } from './bot-turn.ts';
import { afterKnowledge, decideByRule, type RuleName, type Situation } from './rules/turn-rules.ts';
import { situationOf } from './situation.ts';

type Situated = Omit<Situation, 'question'>;

/** A decision, and how it came about. */
export interface Decided {
  readonly decision: Decision;
  /** A rule, the language model, the site's knowledge, or an error of the bot itself. */
  readonly by: RuleName | 'action' | 'model' | 'knowledge' | 'error';
  /** Where the site's knowledge has decided. */
  readonly lookup?: Lookup;
  /** The labels of actions that the question is likely about. */
  readonly offers?: readonly string[];
  /** The call of an action that was made, to be recorded with what is said about it. */
  readonly called?: ActionTurn['called'];
}

/**
 * Decides how the bot reacts to a visitor's messages. If the bot itself fails, it behaves as if it didn't know, so that a
 * person is called soon and the visitor isn't left waiting.
 * @throws database errors while the database is down: the job is retried.
 */
export const decideTurn = (turn: Turn): Promise<Decided> =>
  unlessFailing(turn, async () => {
    const situation = await situationOf(turn.ctx, turn.ctx.now(), turn.session);
    return decide(turn, situation);
  });

/**
 * As `decideTurn`, within a chat, which may be in an action.
 * @returns undefined while another worker makes the call of an action: a job looks again.
 */
export const decideInChat = (turn: Turn, session: SessionRow): Promise<Decided | undefined> =>
  unlessFailing(turn, async () => {
    const { ctx, question } = turn;
    const situation = await situationOf(ctx, ctx.now(), session);
    const within = situation.isOff ? undefined : await actionTurn(ctx, session, question, situation.language);
    if (within === undefined) return decide(turn, situation);
    const { decision, called } = within;
    return decision.kind === 'wait' ? undefined : { decision, called, by: 'action' as const };
  });

async function unlessFailing<T>({ ctx }: Turn, work: () => Promise<T>): Promise<T | Decided> {
  try {
    return await work();
  } catch (error) {
    if (toAppError(error).code === 'unavailable') throw error;
    ctx.log.error({ err: error }, 'the bot failed to decide');
  }
  return { decision: { kind: 'unknown', confidence: 0 }, by: 'error' };
}

const decide = async (turn: Turn, situation: Situated): Promise<Decided> =>
  decideByRule({ ...situation, question: turn.question }) ?? (await answerTurn(turn, situation));

async function answerTurn(turn: Turn, { language }: Situated): Promise<Decided> {
  const { ctx, question, previousQuestion, session } = turn;
  const usable = await usableActions(ctx, session?.verified === true);
  const named = session === undefined ? namedAction(usable, question) : undefined;
  if (named !== undefined) return { decision: beginningOf(named), by: 'action' };
  const offers = actionsFor(usable, question).map(({ label }) => label);
  const written = await answerWithModel(turn);
  if (written !== undefined) return { decision: written, by: 'model', offers };
  const lookUp = await lookupOf(ctx);
  const lookup = await lookUp(question, previousQuestion);
  return { ...afterKnowledge({ question, language }, lookup.decision), lookup, offers };
}
