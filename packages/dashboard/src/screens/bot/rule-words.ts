import type { HandoffRule, RuleHours } from '@foyer/protocol';

export const HOURS_WORDS: Record<RuleHours, string> = {
  any: 'At any time',
  open: 'Within office hours',
  closed: 'Outside of office hours',
};

const SHOWN_MAX = 4;

const listed = (items: readonly string[], quote: boolean): string => {
  const shown = items.slice(0, SHOWN_MAX).map((item) => (quote ? `“${item}”` : item));
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/** A rule as a sentence: all of its conditions must be met. */
export function ruleSentence(
  { words, pages, segment_ids, hours }: Omit<HandoffRule, 'id' | 'name' | 'enabled'>,
  segments: readonly { id: number; name: string }[],
): string {
  const names = segment_ids.map((id) => segments.find((one) => one.id === id)?.name ?? `segment ${id}`);
  const parts = [
    ...(words.length > 0 ? [`the message has ${listed(words, true)}`] : []),
    ...(pages.length > 0 ? [`the chat began on ${listed(pages, false)}`] : []),
    ...(names.length > 0 ? [`the visitor is in ${listed(names, true)}`] : []),
    ...(hours === 'any'
      ? []
      : [hours === 'open' ? 'it is within office hours' : 'it is outside of office hours']),
  ];
  return parts.length === 0 ? 'Nothing is set yet.' : `When ${parts.join(', and ')}.`;
}

/** Phrases of a text box, one a line: unlike addresses they may hold spaces and commas. */
export const phrasesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];
