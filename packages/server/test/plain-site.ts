import { type AnswerContext, answerFrom, type Decision } from '../src/bot/answer/answer.ts';
import { afterKnowledge, decideByRule } from '../src/bot/rules/turn-rules.ts';
import type { SearchIndex } from '../src/knowledge/search/search-index.ts';

const PLAIN = { rules: [], isOff: false, pageUrl: null, segmentIds: [], open: true, language: 'en' } as const;

/** What the bot does with a message if the site has no rules of its own. */
export function decide(index: SearchIndex, question: string, context: AnswerContext = {}): Decision {
  return (
    decideByRule({ ...PLAIN, question })?.decision ??
    afterKnowledge({ ...PLAIN, question }, answerFrom(index, question, context)).decision
  );
}
