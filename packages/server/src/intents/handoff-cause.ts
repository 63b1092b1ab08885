import { type HandoffRule, isOnPage, pagePrefix } from '@foyer/protocol';
import { folded } from '../text/words.ts';
import { places, wordsIn } from './word-phrases.ts';

/** What a rule is compared with. */
export interface Occasion {
  readonly question: string;
  /** The page on which the chat began. */
  readonly pageUrl: string | null;
  readonly segmentIds: readonly number[];
  readonly open: boolean;
}

const READ_MAX_CHARS = 4_000;
const QUOTE_MAX_CHARS = 60;
/** Scripts without spaces: a phrase is any part of the text. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The rule of the site that hands a chat over before the bot looks for an answer, in words for the team; undefined if
 * none matches.
 */
export function causeOfHandoff(rules: readonly HandoffRule[], occasion: Occasion): string | undefined {
  for (const rule of rules) {
    const met = rule.enabled ? whatMeets(rule, occasion) : undefined;
    if (met !== undefined) return `Rule “${rule.name}”${met === '' ? '' : `: ${met}`}.`;
  }
  return undefined;
}

/** How the occasion meets all conditions of the rule, in words; undefined if it doesn't. */
function whatMeets(rule: HandoffRule, occasion: Occasion): string | undefined {
  if (rule.hours !== 'any' && (rule.hours === 'open') !== occasion.open) return undefined;
  const word = firstSaid(rule.words, occasion.question);
  if (rule.words.length > 0 && word === undefined) return undefined;
  const url = occasion.pageUrl === null ? null : URL.parse(occasion.pageUrl);
  const page = rule.pages.find((written) => url !== null && isOnPage(pagePrefix(written), url));
  if (rule.pages.length > 0 && page === undefined) return undefined;
  const inSegment = rule.segment_ids.some((id) => occasion.segmentIds.includes(id));
  if (rule.segment_ids.length > 0 && !inSegment) return undefined;
  const parts = [
    ...(word === undefined ? [] : [`the visitor wrote “${word.slice(0, QUOTE_MAX_CHARS)}”`]),
    ...(page === undefined ? [] : [`the chat began on ${page.slice(0, QUOTE_MAX_CHARS)}`]),
    ...(inSegment ? ['the visitor is in its segment'] : []),
    ...(rule.hours === 'closed' ? ['outside of office hours'] : []),
  ];
  return parts.join(', ');
}

/** Words of a rule are text, never a pattern; only `*` at the end of a word stands for any ending. */
function firstSaid(phrases: readonly string[], question: string): string | undefined {
  if (phrases.length === 0) return undefined;
  const text = folded(question.slice(0, READ_MAX_CHARS).toWellFormed());
  const words = wordsIn(text);
  return phrases.find((phrase) => {
    const wanted = folded(phrase);
    if (UNSPACED.test(wanted)) return text.replace(/\s+/g, '').includes(wanted.replace(/[\s*]+/g, ''));
    const parts = wanted.split(/\s+/).flatMap((part) => {
      const read = wordsIn(part);
      const last = read.pop();
      return last === undefined ? [] : [...read, part.endsWith('*') ? `${last}*` : last];
    });
    return parts.length > 0 && places(words, [parts.join(' ')]).length > 0;
  });
}
