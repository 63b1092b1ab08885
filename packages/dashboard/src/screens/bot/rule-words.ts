import type { HandoffRule } from '@foyer/protocol';
import { t } from './t.ts';

const SHOWN_MAX = 4;

/** User-written text keeps its own direction within a sentence (U+2068 to U+2069 isolate). */
const isolated = (text: string): string => `\u2068${text}\u2069`;

const listed = (items: readonly string[], quote: boolean): string => {
  const shown = items
    .slice(0, SHOWN_MAX)
    .map((item) => isolated(quote ? t('sentence_quoted', { text: item }) : item));
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [t('sentence_more', { number: more })] : [])].join(', ');
};

/** A rule as a sentence: all of its conditions must be met. */
export function ruleSentence(
  { words, pages, segment_ids, hours }: Omit<HandoffRule, 'id' | 'name' | 'enabled'>,
  segments: readonly { id: number; name: string }[],
): string {
  const names = segment_ids.map(
    (id) => segments.find((one) => one.id === id)?.name ?? t('segment_unknown', { id: String(id) }),
  );
  const parts = [
    ...(words.length > 0 ? [t('sentence_words', { items: listed(words, true) })] : []),
    ...(pages.length > 0 ? [t('sentence_pages', { items: listed(pages, false) })] : []),
    ...(names.length > 0 ? [t('sentence_segments', { items: listed(names, true) })] : []),
    ...(hours === 'any' ? [] : [t(`sentence_${hours}`)]),
  ];
  if (parts.length === 0) return t('sentence_none');
  return t('sentence', {
    conditions: parts.reduce((first, second) => t('sentence_both', { first, second })),
  });
}
