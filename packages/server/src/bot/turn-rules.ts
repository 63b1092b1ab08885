import type { SiteContext } from '../context.ts';
import type { HandoffCause } from '../conversations/handoffs.ts';
import type { SessionRow } from '../conversations/sessions.ts';
import { toAppError } from '../errors.ts';
import { answerFrom, type Decision } from './answer.ts';
import { causeOfHandoff } from './handoff-cause.ts';
import { asksForPerson } from './handoff-request.ts';
import { answerWithModel } from './model-answer.ts';
import { occasionOf } from './occasion.ts';
import { smallTalkReply } from './small-talk.ts';

/** After this many questions in a row without an answer a person is called (decisions 8). */
export const MISSES_BEFORE_HANDOFF = 2;

/** What a turn is decided on. */
export interface Turn {
  readonly ctx: SiteContext;
  /** All that was said since the bot's last turn, as one question. */
  readonly question: string;
  readonly previousQuestion?: string | undefined;
  /** Undefined for a question outside of a chat, as an evaluation asks it. */
  readonly session?: SessionRow | undefined;
  /** The first message of the question in the chat. */
  readonly firstSeq?: number | undefined;
  /** Shows those who follow the chat what is written of the answer so far; an empty text takes it back. */
  readonly show?: ((soFar: string) => void) | undefined;
}

/** Decides a turn, or leaves it to the rules behind it. */
export type TurnRule = (turn: Turn) => Decision | undefined | Promise<Decision | undefined>;

const handsOffOnRequest: TurnRule = ({ question }) =>
  asksForPerson(question) ? { kind: 'handoff', reason: 'visitor_request' } : undefined;

/** The site's own rules, anger, and a bot that is switched off. */
const handsOffForCause: TurnRule = async ({ ctx, question, session }) => {
  const { isOff, rules, occasion } = await occasionOf(ctx, question, session);
  const why = isOff ? 'The bot is switched off.' : causeOfHandoff(rules, occasion);
  return why === undefined ? undefined : { kind: 'handoff', reason: 'rule', why };
};

const returnsSmallTalk: TurnRule = ({ question }) => {
  const text = smallTalkReply(question);
  return text === null ? undefined : { kind: 'small_talk', text };
};

/** Only in a chat: whoever asks in bulk, as an evaluation does, has no budget that would end it. */
const answersWithModel: TurnRule = (turn) => (turn.session === undefined ? undefined : answerWithModel(turn));

const answersFromKnowledge: TurnRule = async ({ ctx, question, previousQuestion }) =>
  answerFrom(await ctx.services.indexes.indexOf(ctx.site.id), question, { previousQuestion });

/** Asked in this order; the first that decides is followed. Whoever has a rule to add adds it here. */
const TURN_RULES: readonly TurnRule[] = [
  handsOffOnRequest,
  handsOffForCause,
  returnsSmallTalk,
  answersWithModel,
  answersFromKnowledge,
];

/**
 * What the bot does with what a visitor said (decisions 8). A fault of the bot's own must not leave the visitor
 * waiting: then it doesn't know, and soon a person is called.
 * @throws what the database throws while it is away: the job is tried again.
 */
export async function decideTurn(turn: Turn): Promise<Decision> {
  try {
    for (const rule of TURN_RULES) {
      const decision = await rule(turn);
      if (decision !== undefined) return decision;
    }
  } catch (error) {
    if (toAppError(error).code === 'unavailable') throw error;
    turn.ctx.log.error({ err: error }, 'the bot failed to decide');
  }
  return { kind: 'unknown', confidence: 0 };
}

/** What a decision makes of a chat. */
export interface Consequence {
  /** Questions in a row without an answer, this one included. */
  readonly misses: number;
  /** Why a person is called; undefined when the bot keeps the chat. */
  readonly handoff: HandoffCause | undefined;
}

export function consequenceOf(decision: Decision, missesBefore: number): Consequence {
  switch (decision.kind) {
    case 'answer':
      return { misses: 0, handoff: undefined };
    case 'small_talk':
      return { misses: missesBefore, handoff: undefined };
    case 'handoff':
      return { misses: 0, handoff: { reason: decision.reason, why: decision.why } };
    case 'ask': {
      const misses = missesBefore + 1;
      return { misses, handoff: misses >= MISSES_BEFORE_HANDOFF ? { reason: 'low_confidence' } : undefined };
    }
    case 'unknown': {
      const misses = missesBefore + 1;
      return { misses, handoff: misses >= MISSES_BEFORE_HANDOFF ? { reason: 'no_answer' } : undefined };
    }
  }
}
