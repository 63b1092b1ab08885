/** The reasons of handoffs, in the words of the prompt. */
export const HANDOFF_REASONS = ['person', 'callback', 'complaint', 'emergency', 'rule'] as const;
export type HandoffWord = (typeof HANDOFF_REASONS)[number];

/** Words of a passage that an answer rests on; `passage` counts from 1, as in the prompt. */
export interface Quote {
  readonly passage: number;
  readonly words: string;
}

/** A language model's reply. */
export type ModelReply =
  | { readonly kind: 'answer'; readonly quotes: readonly Quote[]; readonly text: string }
  | { readonly kind: 'ask' | 'talk'; readonly text: string }
  | { readonly kind: 'handoff'; readonly reason: HandoffWord; readonly summary: string }
  | { readonly kind: 'action'; readonly name: string; readonly inputs: ReadonlyMap<string, string> }
  /** The articles don't answer the question, and nothing else fits. */
  | { readonly kind: 'none' };

export type ReadReply =
  | ModelReply
  /** May still become a reply. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'unreadable'; readonly problem: 'format' | 'too_long' };

/** The limit of everything that a model writes for one turn, including reasoning. */
export const WRITTEN_MAX_CHARS = 12_000;
/** An answer that is shown while it is written must fit a notice between processes. */
const ANSWER_MAX_CHARS = 2_000;
/** A question back or small talk is a sentence or two: anything longer is an answer without quotes. */
const ASIDE_MAX_CHARS = 400;
const SUMMARY_MAX_CHARS = 300;
/** How far after the reasoning the first keyword may be. */
const PREAMBLE_MAX_CHARS = 2_000;
const QUOTES_MAX = 10;
const INPUTS_MAX = 20;

/** How models mark reasoning, and how it ends. */
const REASONING_OPENS =
  /<(?:think|thinking|thoughts?|reasoning|reason|analysis|reflection|scratchpad)>|\[THINK\]|◁think▷/i;
const REASONING_CLOSES =
  /<\/(?:think|thinking|thoughts?|reasoning|reason|analysis|reflection|scratchpad)>|\[\/THINK\]|◁\/think▷|<\|channel\|>final<\|message\|>/gi;
const END_TOKEN = /<\|(?:end|return|im_end|eot_id)\|>\s*$/;

const FENCE = /^\s{0,3}`{3,}[\w-]{0,20}\s*$/;
/** The first word on a line of its own, perhaps emphasised, with what belongs to it behind it. */
const KEYWORD = /^[\s>*_#`"'-]{0,10}(ANSWER|ASK|TALK|HANDOFF|ACTION|NONE)\b[*_`"']{0,4}(.{0,200})$/;
const QUOTE =
  /^[\s>*_`-]{0,10}QUOTE\s{0,3}\[?\s?(\d{1,4})\s?\]?[*_`]{0,4}\s{0,3}[:.–-]\s{0,3}[*_`]{0,4}(.{1,2000})$/;
const INPUT = /^[\s>*_`-]{0,10}([\p{L}\p{N}_]{1,60})[*_`]{0,4}\s{0,3}[:=]\s{0,3}(.{1,600})$/u;
/** A citation in the text, which the quotes stand for. */
const CITATION = /[ \t]?\[(?:passage |quote )?\d{1,4}(?:\s?,\s?\d{1,4}){0,9}\](?!\()/gi;

/** Without what the model only thinks; undefined while it does. */
export function withoutReasoning(written: string): string | undefined {
  const closed = [...written.matchAll(REASONING_CLOSES)].at(-1);
  const rest = closed ? written.slice(closed.index + closed[0].length) : written;
  const open = REASONING_OPENS.exec(rest);
  if (open && rest.slice(0, open.index).trim() === '') return undefined;
  return rest.replace(END_TOKEN, '');
}

interface Opening {
  readonly keyword: string;
  /** On the line of the keyword. */
  readonly rest: string;
  /** The lines below it. */
  readonly body: readonly string[];
}

/** The first word and what follows it; undefined if no line has one. */
function openingOf(text: string, isWhole: boolean): Opening | undefined {
  const lines = text.split(/\r?\n/);
  let passed = 0;
  let isFenced = false;
  for (const [at, line] of lines.entries()) {
    if (passed > PREAMBLE_MAX_CHARS || (!isWhole && at === lines.length - 1)) return undefined;
    passed += line.length + 1;
    if (FENCE.test(line)) isFenced = !isFenced;
    const [, keyword, rest] = KEYWORD.exec(line) ?? [];
    if (keyword === undefined || rest === undefined || !isOpening(keyword, rest)) continue;
    const body = lines.slice(at + 1);
    const lastWords = body.findLastIndex((one) => one.trim() !== '');
    if (isFenced && FENCE.test(body[lastWords] ?? '')) body.length = lastWords;
    return { keyword, rest: rest.trim(), body };
  }
  return undefined;
}

/** "ANSWER is what I write" begins no reply. */
const isOpening = (keyword: string, rest: string): boolean =>
  keyword === 'HANDOFF' || keyword === 'ACTION' ? rest.trim() !== '' : /^\s*(?:$|[:.])/.test(rest);

/**
 * Reads what a model writes, at any moment of its writing. It tolerates reasoning, a preamble, emphasis and code fences
 * around the reply; anything else that isn't the format of the prompt is unreadable.
 */
export function readReply(written: string, isWhole: boolean): ReadReply {
  const pending = isWhole
    ? ({ kind: 'unreadable', problem: 'format' } as const)
    : ({ kind: 'pending' } as const);
  // What no message may have, and half a character at the end.
  const text = withoutReasoning(written.replaceAll('\0', '').toWellFormed());
  if (text === undefined) return pending;
  const opening = openingOf(text, isWhole);
  if (opening === undefined)
    return text.trim().length > PREAMBLE_MAX_CHARS ? { kind: 'unreadable', problem: 'format' } : pending;
  switch (opening.keyword) {
    case 'ANSWER':
      return readAnswer(opening);
    case 'ASK':
      return readAside('ask', opening, isWhole);
    case 'TALK':
      return readAside('talk', opening, isWhole);
    case 'HANDOFF':
      return readHandoff(opening);
    case 'ACTION':
      return readAction(opening);
    default:
      return { kind: 'none' };
  }
}

const afterColon = (rest: string): string => rest.replace(/^[\s:.*_`–-]+/, '').trim();

function readAnswer({ rest, body }: Opening): ReadReply {
  const quotes: Quote[] = [];
  const first = afterColon(rest);
  const all = first === '' ? body : [first, ...body];
  let at = 0;
  for (; at < all.length && quotes.length < QUOTES_MAX; at += 1) {
    const line = all[at] ?? '';
    const [, passage, words] = QUOTE.exec(line) ?? [];
    if (passage !== undefined && words !== undefined)
      quotes.push({ passage: Number(passage), words: words.trim() });
    else if (line.trim() !== '') break;
  }
  const lines = all.slice(at);
  // An incomplete line may become another quote.
  if (lines.length === 1 && /^[\s>*_`-]{0,10}(?:Q|QU|QUO|QUOT|QUOTE.{0,2000})$/.test(lines[0] ?? ''))
    return { kind: 'answer', quotes, text: '' };
  if (lines.some((line) => hasKeyword(line) || QUOTE.test(line)))
    return { kind: 'unreadable', problem: 'format' };
  const text = lines.join('\n').replace(CITATION, '').trim();
  if (text.length > ANSWER_MAX_CHARS) return { kind: 'unreadable', problem: 'too_long' };
  return { kind: 'answer', quotes, text };
}

/** A second reply behind the first. */
function hasKeyword(line: string): boolean {
  const [, keyword, rest] = KEYWORD.exec(line) ?? [];
  return keyword !== undefined && rest !== undefined && rest.trim() === '';
}

function readAside(kind: 'ask' | 'talk', { rest, body }: Opening, isWhole: boolean): ReadReply {
  const text = [afterColon(rest), ...body].join('\n').trim();
  if (text.length > ASIDE_MAX_CHARS) return { kind: 'unreadable', problem: 'too_long' };
  if (body.some(hasKeyword) || (isWhole && text === '')) return { kind: 'unreadable', problem: 'format' };
  return { kind, text };
}

function readHandoff({ rest, body }: Opening): ReadReply {
  const [word = '', ...more] = afterColon(rest).split(/[\s:.–-]+/);
  const reason = HANDOFF_REASONS.find((known) => known === word.toLowerCase().replace(/[^a-z]/g, ''));
  if (reason === undefined) return { kind: 'unreadable', problem: 'format' };
  const summary = [more.join(' '), ...body].join(' ').replace(/\s+/g, ' ').trim();
  return { kind: 'handoff', reason, summary: summary.slice(0, SUMMARY_MAX_CHARS).toWellFormed() };
}

function readAction({ rest, body }: Opening): ReadReply {
  const inputs = new Map<string, string>();
  for (const line of body.slice(0, INPUTS_MAX)) {
    const [, name, value] = INPUT.exec(line) ?? [];
    if (name !== undefined && value !== undefined) inputs.set(name, value.trim());
  }
  return {
    kind: 'action',
    name: afterColon(rest)
      .replace(/(?<![*_`"'])[*_`"']+$/, '')
      .trim(),
    inputs,
  };
}
