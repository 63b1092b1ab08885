import type { HandoffRule, Language } from '@foyer/protocol';
import { SUMMARY_LINES } from '@foyer/protocol/values/summary-lines';
import type { HandoffCause } from '../../conversations/handoffs.ts';
import { causeOfHandoff, type Occasion } from '../../intents/handoff-cause.ts';
import { type Need, needOf, smallTalkReply } from '../../intents/intents.ts';
import type { Decision } from '../answer/answer.ts';

/** After this many unanswered questions in a row, the bot hands the chat over. */
const MISSES_BEFORE_HANDOFF = 2;

/** Everything that the rules read; they query nothing. */
export interface Situation extends Occasion {
  /** The site's handoff rules, in their order. */
  readonly rules: readonly HandoffRule[];
  readonly isOff: boolean;
  /** The visitor's, as far as it is known. */
  readonly language: Language;
}

/** Decides a turn, or returns undefined to leave it to the next rule. */
type TurnRule = (situation: Situation) => Decision | undefined;

/** What the visitor needs a person for, as the team reads it. */
const NEEDED: Readonly<Record<Need, Pick<Decision & { kind: 'handoff' }, 'reason' | 'why'>>> = {
  person: { reason: 'visitor_request' },
  callback: { reason: 'visitor_request', why: SUMMARY_LINES.callback },
  complaint: { reason: 'rule', why: SUMMARY_LINES.complaint },
  emergency: { reason: 'rule', why: SUMMARY_LINES.emergency },
};

const handOffFor = (need: Need): Decision => ({ kind: 'handoff', ...NEEDED[need] });

const handsOffOnRequest: TurnRule = ({ question }) => {
  const need = needOf(question);
  return need === 'person' || need === 'callback' ? handOffFor(need) : undefined;
};

const handsOffWhenOff: TurnRule = ({ isOff }) =>
  isOff ? { kind: 'handoff', reason: 'rule', why: SUMMARY_LINES.bot_off } : undefined;

/** Hands off because of a rule of the site. */
const handsOffForCause: TurnRule = (situation) => {
  const why = causeOfHandoff(situation.rules, situation);
  return why === undefined ? undefined : { kind: 'handoff', reason: 'rule', why };
};

/** A message without text consists of files. */
const takesFiles: TurnRule = ({ question }) => (question.trim() === '' ? { kind: 'files' } : undefined);

/** Hands off what is surely a complaint or an emergency. */
const handsOffUpset: TurnRule = ({ question }) => {
  const need = needOf(question);
  return need === undefined ? undefined : handOffFor(need);
};

const returnsSmallTalk: TurnRule = ({ question, language }) => {
  const text = smallTalkReply(question, language);
  return text === null ? undefined : { kind: 'small_talk', text };
};

/** Checked in this order, in chats and evaluations alike. Add new rules here. */
const TURN_RULES = [
  ['person', handsOffOnRequest],
  ['off', handsOffWhenOff],
  ['rule', handsOffForCause],
  ['upset', handsOffUpset],
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

/** The decision of knowledge, unless it has no answer and the message may well need a person. */
export function afterKnowledge(
  { question, language }: Pick<Situation, 'question' | 'language'>,
  decision: Decision,
): { by: RuleName | 'knowledge'; decision: Decision } {
  const { kind } = decision;
  if (kind === 'ask' || kind === 'unknown') {
    const need = needOf(question, kind);
    if (need !== undefined) return { by: 'upset', decision: handOffFor(need) };
    const text = smallTalkReply(question, language, kind);
    if (text !== null) return { by: 'small_talk', decision: { kind: 'small_talk', text } };
  }
  return { by: 'knowledge', decision };
}

/** How a decision changes a chat. */
interface Consequence {
  /** Consecutive questions without an answer, including this one. */
  readonly misses: number;
  /** Why the chat is handed off; undefined when the bot keeps it. */
  readonly handoff: HandoffCause | undefined;
}

/**
 * Changes nothing: the caller stores `misses` and hands off. An answer resets the misses; small talk and files don't
 * change them.
 */
export function consequenceOf(decision: Decision, missesBefore: number): Consequence {
  switch (decision.kind) {
    case 'answer':
    case 'action':
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
