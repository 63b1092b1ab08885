import type { HandoffRule } from '@foyer/protocol';
import { SUMMARY_LINES } from '@foyer/protocol/values/summary-lines';
import type { HandoffCause } from '../../conversations/handoffs.ts';
import { causeOfHandoff, type Occasion } from '../../intents/handoff-cause.ts';
import { asksForPerson } from '../../intents/handoff-request.ts';
import { smallTalkReply } from '../../intents/small-talk.ts';
import type { Decision } from '../answer/answer.ts';

/** After this many questions in a row without an answer, the bot calls a person. */
const MISSES_BEFORE_HANDOFF = 2;

/** Everything that the rules read; they look nothing up. */
export interface Situation extends Occasion {
  /** The site's handoff rules, in their order. */
  readonly rules: readonly HandoffRule[];
  readonly isOff: boolean;
}

/** Decides a turn, or returns undefined to leave it to the next rule. */
type TurnRule = (situation: Situation) => Decision | undefined;

const handsOffOnRequest: TurnRule = ({ question }) =>
  asksForPerson(question) ? { kind: 'handoff', reason: 'visitor_request' } : undefined;

const handsOffWhenOff: TurnRule = ({ isOff }) =>
  isOff ? { kind: 'handoff', reason: 'rule', why: SUMMARY_LINES.bot_off } : undefined;

/** Hands off because of a rule of the site, or of anger. */
const handsOffForCause: TurnRule = (situation) => {
  const why = causeOfHandoff(situation.rules, situation);
  return why === undefined ? undefined : { kind: 'handoff', reason: 'rule', why };
};

/** A message without text consists of files. */
const takesFiles: TurnRule = ({ question }) => (question.trim() === '' ? { kind: 'files' } : undefined);

const returnsSmallTalk: TurnRule = ({ question }) => {
  const text = smallTalkReply(question);
  return text === null ? undefined : { kind: 'small_talk', text };
};

/** Asked in this order, in chats and evaluations alike. Add new rules here. */
const TURN_RULES = [
  ['person', handsOffOnRequest],
  ['off', handsOffWhenOff],
  ['rule', handsOffForCause],
  ['files', takesFiles],
  ['small_talk', returnsSmallTalk],
] as const satisfies readonly (readonly [string, TurnRule])[];

export type RuleName = (typeof TURN_RULES)[number][0];

/** The decision of the first rule that makes one, and which rule that is. */
export function decideByRule(situation: Situation): { by: RuleName; decision: Decision } | undefined {
  for (const [by, rule] of TURN_RULES) {
    const decision = rule(situation);
    if (decision !== undefined) return { by, decision };
  }
  return undefined;
}

/** The decision of the first rule that makes one; otherwise `answer`, from the site's knowledge. */
export const decide = <Answer>(situation: Situation, answer: () => Answer): Decision | Answer =>
  decideByRule(situation)?.decision ?? answer();

/** How a decision changes a chat. */
interface Consequence {
  /** Consecutive questions without an answer, including this one. */
  readonly misses: number;
  /** Why the chat is handed off; undefined when the bot keeps it. */
  readonly handoff: HandoffCause | undefined;
}

/**
 * Changes nothing: the caller stores `misses` and hands off. An answer resets the misses, small talk and files keep
 * them.
 */
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
