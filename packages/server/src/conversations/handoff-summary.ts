import type { HandoffReason } from '@foyer/protocol';
import { SUMMARY_LINES, summaryLine } from '@foyer/protocol/values/summary-lines';
import { asksForPerson, smallTalkReply } from '../intents/intents.ts';
import { MESSAGE_MAX_CHARS } from '../intents/message-limit.ts';

export interface SummarisedMessage {
  readonly sender: 'visitor' | 'bot' | 'agent' | 'system';
  readonly text: string;
  /** The articles cited by a bot's message. */
  readonly sources?: readonly { readonly title: string }[] | null | undefined;
  /** True for a bot's message that says it doesn't know. */
  readonly unknown?: boolean | undefined;
  /** True for a bot's message that only asks which article is meant. */
  readonly askedBack?: boolean | undefined;
}

/** Who the visitor is, and why the chat is handed over. */
interface SummaryHead {
  readonly reason?: HandoffReason | undefined;
  /** The reason in words, if its name says too little. */
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
/** The first question shows the topic, the last ones the current state. */
const QUESTIONS_MAX = 4;

/** A summary as stored: the line about the visitor is separate, so that an erasure only empties a column. */
export interface SummaryParts {
  readonly summary: string;
  readonly visitor_line: string | null;
}

/**
 * What an agent must know before taking over a chat, one line each: the reason, every question with its result, who
 * the visitor is and on which page. Plain text, never empty, at most 1,000 characters; the visitor is left out if
 * there is no room.
 */
export function summaryParts(messages: readonly SummarisedMessage[], head: SummaryHead = {}): SummaryParts {
  const why = whyOf(head, messages);
  const asked = [...(why === '' ? [] : [why]), ...questionLines(messages)].join('\n');
  const who = whoOf(head);
  const whole = shortened(who === '' ? asked : `${asked}\n${who}`, SUMMARY_MAX_CHARS);
  const isBothThere = who !== '' && whole.startsWith(`${asked}\n`);
  return isBothThere
    ? { summary: asked, visitor_line: whole.slice(asked.length + 1) }
    : { summary: whole, visitor_line: null };
}

/** A stored summary as agents and programs read it. */
export const wholeSummary = ({ summary, visitor_line }: SummaryParts): string =>
  visitor_line === null ? summary : `${summary}\n${visitor_line}`;

function whyOf({ reason, why }: SummaryHead, messages: readonly SummarisedMessage[]): string {
  if (why !== undefined) return why;
  if (reason !== undefined) return SUMMARY_LINES[reason];
  const asked = messages.some(({ sender, text }) => sender === 'visitor' && asksForPerson(text));
  return asked ? SUMMARY_LINES.visitor_request : '';
}

/** A question, and the reply of the bot or a person. */
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
  if (exchanges.length === 0) return [SUMMARY_LINES.nothing_asked];
  const lines = exchanges.map(lineOf);
  const leftOut = lines.length - QUESTIONS_MAX;
  if (leftOut <= 0) return lines;
  const between = leftOut === 1 ? SUMMARY_LINES.one_more : summaryLine('more', { others: String(leftOut) });
  return [lines[0] ?? '', between, ...lines.slice(1 - QUESTIONS_MAX)];
}

/** A question and its result. */
function lineOf({ question: asked, reply }: Exchange): string {
  const question = quoted(asked, QUOTE_MAX_CHARS);
  if (reply === null) return summaryLine('not_answered', { question });
  if (reply.unknown === true) return summaryLine('not_known', { question });
  if (reply.askedBack === true) return summaryLine('asked_back', { question });
  const said = quoted(reply.text, ANSWER_MAX_CHARS);
  if (reply.sender === 'agent') return summaryLine('team_answered', { question, said });
  const [source] = reply.sources ?? [];
  if (!source) return summaryLine('bot_said', { question, said });
  return summaryLine('answered_from', { question, title: quoted(source.title, TITLE_MAX_CHARS), said });
}

function whoOf({ visitor, pageUrl }: SummaryHead): string {
  if (!visitor) return '';
  const known = [visitor.name, visitor.email].flatMap((part) =>
    part ? [shortened(plain(part), NAME_MAX_CHARS)] : [],
  );
  const who = known.join(', ');
  const page = pageOf(pageUrl ?? null);
  if (who === '') return page === '' ? SUMMARY_LINES.unnamed : summaryLine('unnamed_on', { page });
  return page === '' ? `${who}.` : summaryLine('named_on', { who, page });
}

/** Without the query, which may contain private data. */
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

/**
 * Plain text on one line, without markdown, quotation marks or invisible characters, so that nothing stands out.
 */
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
