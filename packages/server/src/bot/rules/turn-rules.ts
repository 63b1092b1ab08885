import type { HandoffRule } from '@foyer/protocol';
import { SUMMARY_LINES } from '@foyer/protocol/values/summary-lines';
import type { HandoffCause } from '../../conversations/handoffs.ts';
import { causeOfHandoff, type Occasion } from '../../intents/handoff-cause.ts';
import { asksForPerson } from '../../intents/handoff-request.ts';
import { smallTalkReply } from '../../intents/small-talk.ts';
import type { Decision } from '../answer/answer.ts';

/** After this many questions in a row without an answer, the bot calls a person. */
const MISSES_BEFORE_HANDOFF = 2;

/** All that the rules read: nothing is looked up while they decide. */
export interface Situation extends Occasion {
  /** The site's own rules, in their order. */
  readonly rules: readonly HandoffRule[];
  readonly isOff: boolean;
}

/** Decides a turn, or leaves it to the rules behind it. */
type TurnRule = (situation: Situation) => Decision | undefined;

const handsOffOnRequest: TurnRule = ({ question }) =>
  asksForPerson(question) ? { kind: 'handoff', reason: 'visitor_request' } : undefined;

const handsOffWhenOff: TurnRule = ({ isOff }) =>
  isOff ? { kind: 'handoff', reason: 'rule', why: SUMMARY_LINES.bot_off } : undefined;

/** The site's own rules, and anger. */
const handsOffForCause: TurnRule = (situation) => {
  const why = causeOfHandoff(situation.rules, situation);
  return why === undefined ? undefined : { kind: 'handoff', reason: 'rule', why };
};

/** A message without a word is one of files. */
const takesFiles: TurnRule = ({ question }) => (question.trim() === '' ? { kind: 'files' } : undefined);

const returnsSmallTalk: TurnRule = ({ question }) => {
  const text = smallTalkReply(question);
  return text === null ? undefined : { kind: 'small_talk', text };
};

/** Asked in this order, in a chat and in an evaluation alike. Whoever has a rule to add adds it here. */
const TURN_RULES: readonly TurnRule[] = [
  handsOffOnRequest,
  handsOffWhenOff,
  handsOffForCause,
  takesFiles,
  returnsSmallTalk,
];

/** What the first rule says that decides; what none decides is for `answer`, out of the site's knowledge. */
export function decide<Answer>(situation: Situation, answer: () => Answer): Decision | Answer {
  for (const rule of TURN_RULES) {
    const decision = rule(situation);
    if (decision !== undefined) return decision;
  }
  return answer();
}

/** What a decision makes of a chat. */
interface Consequence {
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
    case 'files':
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
