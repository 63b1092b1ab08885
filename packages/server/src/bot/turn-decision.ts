import { usableActions } from '../actions/actions.ts';
import { actionsFor, namedAction } from '../actions/matching.ts';
import { mayChangeAtOnce } from '../actions/steps.ts';
import type { TokenCount } from '../ai/language-model.ts';
import { toAppError } from '../base/errors.ts';
import type { SessionRow } from '../conversations/sessions.ts';
import { countTokens } from '../sites/usage.ts';
import { type ActionTurn, actionTurn, beginAction, beginningOf } from './actions/action-turn.ts';
import { type Decision, type Lookup, offerOf } from './answer/answer.ts';
import { lookupOf } from './answer/site-answers.ts';
import type { Turn } from './bot-turn.ts';
import type { ChosenAction } from './model-turn/model-action.ts';
import { askModel, type ModelTurn } from './model-turn/model-turn.ts';
import { asksWhich } from './phrases.ts';
import { afterKnowledge, decideByRule, type RuleName, type Situation } from './rules/turn-rules.ts';
import { situationOf } from './situation.ts';

type Situated = Omit<Situation, 'question'>;

/** A decision and its basis. */
export interface Decided {
  readonly decision: Decision;
  /** A rule, the language model, the site's knowledge, or an error of the bot itself. */
  readonly by: RuleName | 'action' | 'model' | 'knowledge' | 'error';
  /** Set if the site's knowledge has decided. */
  readonly lookup?: Lookup;
  /** The labels of actions that the question is likely about. */
  readonly offers?: readonly string[];
  /** The call of an action that was made, to be recorded with the reply. */
  readonly called?: ActionTurn['called'];
  /** The outcome of the language model's turn; undefined if none was asked. */
  readonly model?: ModelTurn['report'];
  /** The tokens of the language model, even without a result; undefined if it used none. */
  readonly tokens?: TokenCount | undefined;
}

const NOT_KNOWN: Decision = { kind: 'unknown', confidence: 0 };

/**
 * Decides how the bot reacts to a visitor's messages. If the bot itself fails, it behaves as if it didn't know, so that
 * the chat is soon handed over and the visitor isn't left waiting.
 * @throws database errors while the database is down: the job is retried.
 */
export const decideTurn = (turn: Turn): Promise<Decided> =>
  unlessFailing(turn, async () => {
    const situation = await situationOf(turn.ctx, turn.ctx.now(), turn.session);
    return (await decide(turn, situation)) ?? { decision: NOT_KNOWN, by: 'error' };
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
  return { decision: NOT_KNOWN, by: 'error' };
}

const decide = async (turn: Turn, situation: Situated): Promise<Decided | undefined> =>
  decideByRule({ ...situation, question: turn.question }) ?? (await answerTurn(turn, situation));

/** Undefined while another worker makes the call of an action. */
async function answerTurn(turn: Turn, situation: Situated): Promise<Decided | undefined> {
  const { ctx, question, session } = turn;
  const usable = await usableActions(ctx, session?.verified === true);
  const named = session === undefined ? namedAction(usable, question) : undefined;
  if (named !== undefined) return { decision: beginningOf(named), by: 'action' };
  const offers = actionsFor(usable, question).map(({ label }) => label);
  const asked = await askModel(turn, usable);
  const used = asked ? { model: asked.report, tokens: asked.tokens } : {};
  if (asked?.chosen !== undefined) return beginChosen(turn, situation, asked.chosen, used);
  if (asked?.decision !== undefined) return { decision: asked.decision, by: 'model', offers, ...used };
  return { ...(await answerBuiltIn(turn, situation, asked?.report.result === 'none')), offers, ...used };
}

/** @param isDoubted a language model has found no answer in the articles: what seems to be one is only offered. */
async function answerBuiltIn(
  { ctx, question, previousQuestion }: Turn,
  { language }: Situated,
  isDoubted: boolean,
): Promise<Decided> {
  const lookUp = await lookupOf(ctx);
  const lookup = await lookUp(question, previousQuestion);
  const isOnlyOffered = isDoubted && lookup.decision.kind === 'answer' && lookup.isChoice !== true;
  const decision = isOnlyOffered ? offerOf(lookup.candidates) : lookup.decision;
  return { ...afterKnowledge({ question, language }, decision), lookup };
}

/**
 * Begins an action that the language model has chosen. One that would change something before the visitor says a word
 * is only offered as its button: a model can be talked into it.
 */
async function beginChosen(
  { ctx, session }: Turn,
  { language }: Situated,
  { action, given }: ChosenAction,
  used: Pick<Decided, 'model' | 'tokens'>,
): Promise<Decided | undefined> {
  if (mayChangeAtOnce(action.steps, given)) {
    const decision: Decision = {
      kind: 'action',
      text: asksWhich(language, 1),
      choices: [action.label],
      run: null,
    };
    return { decision, by: 'model', ...used };
  }
  if (session === undefined) return { decision: beginningOf(action), by: 'model', ...used };
  const { decision, called } = await beginAction(ctx, session, action, { given, by: 'model', language });
  if (decision.kind !== 'wait') return { decision, called, by: 'model', ...used };
  if (used.tokens) await countTokens(ctx, used.tokens);
  return undefined;
}
