import { withoutCourtesy } from '../../intents/courtesy.ts';
import { splitSentences } from '../../text/sentences.ts';

/** A message with this many sentences tells a story, in which one or two of them ask. */
const STORY_SENTENCES = 3;
const STORY_READINGS = 4;
const QUESTION_END = /[?？؟]\s*$/;
/** The joint between two clauses, each of which may be a question. */
const JOINT =
  /[?？؟;；]+\s*|,\s*(?=(?:and|und|et|y|e|en|i|ve|та)\s)|\s(?:and|und|et|y|e|en|oraz|ve|та|і|также|and also)\s|，|、(?=.{6})|\sو(?=\p{L})|\sו(?=\p{L})/giu;
const PART_MIN_CHARS = 6;
const JOINTS_TRIED = 4;

/** The questions that a message may ask: the whole message and, in a story, the sentences that ask. */
export function readingsOf(message: string): string[] {
  const whole = withoutCourtesy(message);
  return [whole, ...askedInStory(whole)];
}

/** The sentences of a longer message that ask, and its last two. */
function askedInStory(message: string): string[] {
  const sentences = sentencesOf(message);
  if (sentences.length < STORY_SENTENCES) return [];
  const asking = sentences.filter((sentence) => QUESTION_END.test(sentence));
  return [...new Set([...asking, sentences.slice(-2).join(' ')])].slice(0, STORY_READINGS);
}

const sentencesOf = (message: string): string[] =>
  splitSentences(message, () => true)
    .map(([start, end]) => message.slice(start, end).trim())
    .filter((sentence) => sentence !== '');

/** Ways to split a message into two questions. */
export function partsOf(message: string): [string, string][] {
  const joints = [...message.matchAll(JOINT)].slice(0, JOINTS_TRIED);
  return joints.flatMap((joint): [string, string][] => {
    const parts: [string, string] = [
      message.slice(0, joint.index).trim(),
      message.slice(joint.index + joint[0].length).trim(),
    ];
    return parts.every((part) => part.length >= PART_MIN_CHARS) ? [parts] : [];
  });
}
