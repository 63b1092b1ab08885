import type { HandoffReason } from '@foyer/protocol';
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
  /** True for a bot's message that only asks which article is meant. */
  readonly askedBack?: boolean | undefined;
}

/** Who it is, and why a person is called. */
export interface SummaryHead {
  readonly reason?: HandoffReason | undefined;
  /** The reason in words, where the name of the reason says too little. */
  readonly why?: string | undefined;
  readonly visitor?: { readonly name: string | null; readonly email: string | null } | undefined;
  readonly pageUrl?: string | null | undefined;
}

export const SUMMARY_MAX_CHARS = 1_000;
const QUOTE_MAX_CHARS = 120;
const ANSWER_MAX_CHARS = 90;
const TITLE_MAX_CHARS = 60;
const NAME_MAX_CHARS = 60;
const PAGE_MAX_CHARS = 100;
/** The first question says what it is about, the last ones where it stands. */
const QUESTIONS_MAX = 4;

const REASONS: Readonly<Record<HandoffReason, string>> = {
  visitor_request: 'The visitor asked for a person.',
  low_confidence: 'The bot was not sure enough of its answer.',
  no_answer: 'The bot had no answer, twice in a row.',
  agent_takeover: 'An agent took the chat over.',
  rule: 'A rule of the site called a person.',
};

/**
 * What an agent must know before taking over a chat, a line each: why, every question once with what became of it, who
 * it is and where. Plain text, at most 1,000 characters, never empty.
 */
export function summarise(messages: readonly SummarisedMessage[], head: SummaryHead = {}): string {
  const lines = [whyOf(head, messages), ...questionLines(messages), whoOf(head)];
  const told = lines.filter((line) => line !== '').join('\n');
  return shortened(told === '' ? NOTHING_ASKED : told, SUMMARY_MAX_CHARS);
}

const NOTHING_ASKED = 'Nothing was asked yet.';

function whyOf({ reason, why }: SummaryHead, messages: readonly SummarisedMessage[]): string {
  if (why !== undefined) return why;
  if (reason !== undefined) return REASONS[reason];
  const asked = messages.some(({ sender, text }) => sender === 'visitor' && asksForPerson(text));
  return asked ? REASONS.visitor_request : '';
}

/** A question, and what the bot or a person said to it. */
interface Exchange {
  question: string;
  reply: SummarisedMessage | null;
}

function exchangesOf(messages: readonly SummarisedMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const open = exchanges.at(-1);
    if (isQuestion(message)) exchanges.push({ question: message.text, reply: null });
    else if (open && open.reply === null && (message.sender === 'bot' || message.sender === 'agent'))
      open.reply = message;
  }
  return exchanges;
}

function questionLines(messages: readonly SummarisedMessage[]): string[] {
  const exchanges = exchangesOf(messages);
  if (exchanges.length === 0) return [NOTHING_ASKED];
  const lines = exchanges.map(
    (exchange) => `${quoted(exchange.question, QUOTE_MAX_CHARS)} – ${fateOf(exchange)}`,
  );
  const leftOut = lines.length - QUESTIONS_MAX;
  if (leftOut <= 0) return lines;
  const between = `… ${leftOut} more ${leftOut === 1 ? 'question' : 'questions'} …`;
  return [lines[0] ?? '', between, ...lines.slice(1 - QUESTIONS_MAX)];
}

function fateOf({ reply }: Exchange): string {
  if (reply === null) return 'not answered yet.';
  if (reply.unknown === true) return 'the bot did not know.';
  if (reply.askedBack === true) return 'the bot was not sure, and asked back.';
  const said = quoted(reply.text, ANSWER_MAX_CHARS);
  if (reply.sender === 'agent') return `the team answered: ${said}`;
  const [source] = reply.sources ?? [];
  return source ? `answered from ${quoted(source.title, TITLE_MAX_CHARS)}: ${said}` : `the bot said: ${said}`;
}

function whoOf({ visitor, pageUrl }: SummaryHead): string {
  if (!visitor) return '';
  const known = [visitor.name, visitor.email].flatMap((part) =>
    part ? [shortened(plain(part), NAME_MAX_CHARS)] : [],
  );
  const who = known.length === 0 ? 'A visitor without a name' : known.join(', ');
  const where = pageOf(pageUrl ?? null);
  return where === '' ? `${who}.` : `${who}, on ${where}`;
}

/** Without the query: it may hold what is nobody's business. */
function pageOf(pageUrl: string | null): string {
  if (pageUrl === null || !URL.canParse(pageUrl)) return '';
  const { host, pathname } = new URL(pageUrl);
  if (host === '') return '';
  return shortened(`${host}${pathname}`, PAGE_MAX_CHARS);
}

function isQuestion({ sender, text }: SummarisedMessage): boolean {
  if (sender !== 'visitor' || !/[\p{L}\p{N}]/u.test(text.slice(0, MESSAGE_MAX_CHARS))) return false;
  return smallTalkReply(text) === null && !asksForPerson(text);
}

function quoted(text: string, most: number): string {
  return `“${shortened(plain(text), most)}”`;
}

/** One line without markdown, quotation marks or invisible characters, so that nothing in it stands out. */
function plain(text: string): string {
  return text
    .slice(0, MESSAGE_MAX_CHARS)
    .toWellFormed()
    .replace(/\]\([^)\s]*\)/g, '')
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
