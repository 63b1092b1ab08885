import type { Gaps } from './phrases.ts';

/**
 * The lines of a chat's summary. REST, webhooks and the database contain the English line; the desk recognises and
 * translates it. Stored lines keep their wording, so a changed line counts as a new one.
 */
export const SUMMARY_LINES = {
  visitor_request: 'The visitor asked for a person.',
  low_confidence: 'The bot wasn’t confident enough in its answer.',
  no_answer: 'The bot had no answer twice in a row.',
  agent_takeover: 'An agent took over the chat.',
  rule: 'A handoff rule matched.',
  bot_off: 'The bot is off.',
  own_bot_silent: 'The bot didn’t answer in time.',
  angry: 'The visitor sounds angry.',
  callback: 'The visitor asked for a callback.',
  complaint: 'The visitor has a complaint.',
  emergency: 'The visitor reports an emergency.',
  by_email: 'The visitor replied by email.',
  nothing_asked: 'No questions yet.',
  not_answered: '{question} – no answer yet.',
  not_known: '{question} – the bot didn’t know.',
  asked_back: '{question} – the bot wasn’t sure and asked back.',
  team_answered: '{question} – the team answered: {said}',
  answered_from: '{question} – answered from {title}: {said}',
  bot_said: '{question} – the bot said: {said}',
  bot_summary: 'In the bot’s words: {said}',
  one_more: '… 1 more question …',
  more: '… {others} more questions …',
  unnamed: 'Unnamed visitor',
  unnamed_on: 'Unnamed visitor, on {page}',
  named_on: '{who}, on {page}',
} as const;

type Lines = typeof SUMMARY_LINES;
export type SummaryLine = keyof Lines;
type Gap = Gaps<Lines[SummaryLine]>;

const GAP = /\{(\w+)\}/g;

/** What a placeholder may contain: a quotation has no quotation marks inside. */
const FILLED: Readonly<Record<Gap, string>> = {
  question: '“[^”]*”',
  said: '“[^”]*”',
  title: '“[^”]*”',
  others: '\\d+',
  page: '\\S+',
  who: '.+',
};

const isGap = (name: string): name is Gap => Object.hasOwn(FILLED, name);

const READERS = (Object.keys(SUMMARY_LINES) as SummaryLine[]).map((name) => {
  const pattern = SUMMARY_LINES[name].replace(/\./g, '\\.').replace(GAP, (_, gap: string) => {
    return isGap(gap) ? `(?<${gap}>${FILLED[gap]})` : gap;
  });
  return { name, pattern: new RegExp(`^${pattern}$`) };
});

export const summaryLine = <K extends SummaryLine>(
  name: K,
  values: Readonly<Record<Gaps<Lines[K]>, string>>,
): string =>
  SUMMARY_LINES[name].replace(
    GAP,
    (gap, key: string) => (values as Readonly<Record<string, string>>)[key] ?? gap,
  );

export interface ReadSummaryLine {
  name: SummaryLine;
  values: Readonly<Partial<Record<Gap, string>>>;
}

/** The meaning of a line; undefined for one from another version or a language model. */
export function readSummaryLine(line: string): ReadSummaryLine | undefined {
  for (const { name, pattern } of READERS) {
    const found = pattern.exec(line);
    if (found) return { name, values: { ...found.groups } };
  }
  return undefined;
}
