import { MESSAGE_MAX_CHARS } from './answer.ts';
import { asksForPerson } from './handoff-request.ts';
import { smallTalkReply } from './small-talk.ts';

export interface SummarisedMessage {
  readonly sender: 'visitor' | 'bot' | 'agent' | 'system';
  readonly text: string;
  /** The articles that a bot's message is taken from. */
  readonly sources?: readonly { readonly title: string }[] | null | undefined;
  /** True for a bot's message that says it doesn't know. */
  readonly unknown?: boolean | undefined;
}

export const SUMMARY_MAX_CHARS = 500;
const QUOTE_MAX_CHARS = 80;
const TITLE_MAX_CHARS = 45;
const TITLES_MAX = 2;

/**
 * What an agent must know before taking over a chat: what the visitor wants, what the bot answered
 * from which article, and what it didn't know. Plain text, at most 500 characters, never empty.
 */
export function summarise(messages: readonly SummarisedMessage[]): string {
  const questions = messages.filter(isSubstantive);
  const sentences = [wants(questions), answered(messages), notKnown(messages), askedForPerson(messages)];
  return shortened(sentences.filter((sentence) => sentence !== '').join(' '), SUMMARY_MAX_CHARS);
}

function wants(questions: readonly SummarisedMessage[]): string {
  const first = questions[0];
  const last = questions.at(-1);
  if (first === undefined || last === undefined) return 'The visitor has not asked anything yet.';
  const opening = `The visitor asked: ${quoted(first.text)}`;
  return first === last ? opening : `${opening} Most recently: ${quoted(last.text)}`;
}

function answered(messages: readonly SummarisedMessage[]): string {
  const titles = messages.flatMap(({ sender, sources }) => (sender === 'bot' ? (sources ?? []) : []));
  const names = [...new Set(titles.map(({ title }) => shortened(plain(title), TITLE_MAX_CHARS)))];
  if (names.length === 0) return '';
  const shown = names.slice(-TITLES_MAX).map((name) => `"${name}"`);
  const more = names.length > TITLES_MAX ? ` and ${names.length - TITLES_MAX} more` : '';
  return `The bot answered from ${shown.join(' and ')}${more}.`;
}

/** The questions right before the bot's "I don't know". */
function notKnown(messages: readonly SummarisedMessage[]): string {
  let question: SummarisedMessage | null = null;
  let last: SummarisedMessage | null = null;
  let count = 0;
  for (const message of messages) {
    if (message.sender === 'visitor') question = message;
    if (message.sender !== 'bot' || message.unknown !== true || question === null) continue;
    last = question;
    count += 1;
  }
  if (last === null) return '';
  return count === 1
    ? `It did not know: ${quoted(last.text)}`
    : `It did not know ${count} times, last: ${quoted(last.text)}`;
}

function askedForPerson(messages: readonly SummarisedMessage[]): string {
  const asked = messages.some(({ sender, text }) => sender === 'visitor' && asksForPerson(text));
  return asked ? 'The visitor asked for a person.' : '';
}

function isSubstantive({ sender, text }: SummarisedMessage): boolean {
  if (sender !== 'visitor' || !/[\p{L}\p{N}]/u.test(text.slice(0, MESSAGE_MAX_CHARS))) return false;
  return smallTalkReply(text) === null && !asksForPerson(text);
}

function quoted(text: string): string {
  const words = shortened(plain(text), QUOTE_MAX_CHARS);
  return /[.!?…]$/.test(words) ? `"${words}"` : `"${words}".`;
}

/** One line without markdown, quotation marks or invisible characters, so that nothing in it stands out. */
function plain(text: string): string {
  return text
    .slice(0, MESSAGE_MAX_CHARS)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[*_`#<>[\]|\\~"“”„«»]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const whole = /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  const space = whole.lastIndexOf(' ');
  return `${space > most / 2 ? whole.slice(0, space) : whole}…`;
}
