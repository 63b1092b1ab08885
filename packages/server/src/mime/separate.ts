import { FORWARDED, FROM, ORIGINAL, OTHER_HEADERS, PHONES, WROTE } from './quote-words.ts';

/** A mail's text: its author's words, and what their program added. Nothing of it is lost. */
export interface Separated {
  text: string;
  /** The quoted text of earlier mails, and the signature; null if there is neither. */
  quoted: string | null;
}

/** An attribution is one line, or is wrapped into this many. */
const WRAPPED_MAX = 3;
const ATTRIBUTION_MAX = 400;
const HEADER_LINES = 8;
const SIGNATURE_LINES_MAX = 3;

/** Without the marks for direction that mail programs put around names. */
const plain = (line: string): string =>
  line
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim()
    .toLowerCase();
const isQuote = (line: string): boolean => line.startsWith('>');
const isBlank = (line: string): boolean => line.trim() === '';

function labelOf(line: string): string | undefined {
  const bare = plain(line).replaceAll('*', '');
  const end = bare.slice(0, 40).search(/[:：]/);
  return end === -1 ? undefined : bare.slice(0, end).trim();
}

/** The headers of a quoted mail, as Outlook writes them. Some programs begin with the date. */
function isHeader(labels: readonly (string | undefined)[], at: number): boolean {
  const isFrom = (label: string | undefined): boolean => FROM.has(label ?? '');
  const isOther = (label: string | undefined): boolean => OTHER_HEADERS.has(label ?? '');
  if (!isFrom(labels[at]) && !(isOther(labels[at]) && isFrom(labels[at + 1]))) return false;
  return labels.slice(at, at + HEADER_LINES).filter(isOther).length >= 2;
}

function isSeparator(line: string): boolean {
  const bare = plain(line);
  if (FORWARDED.has(bare)) return true;
  if (!/^[-_]{2}/.test(bare) || bare.length > 200) return false;
  return ORIGINAL.some((words) => bare.includes(words)) || (bare.endsWith('--') && isIntroduction(bare));
}

/** Whether a text says when and who wrote: digits in an address don't count. */
function isIntroduction(text: string): boolean {
  const without = text.replace(/[^\s<>()]+/g, (word) => (word.includes('@') ? '@' : word));
  return /\p{Nd}/u.test(without) && (/@[>)›]/.test(without) || WROTE.some((word) => without.includes(word)));
}

/** How many lines introduce a quote here: "On Monday, Ann wrote:"; 0 for none. */
function attributionAt(lines: readonly string[], at: number): number {
  if (isQuote(lines[at] ?? '')) return 0;
  let joined = '';
  for (let count = 1; count <= WRAPPED_MAX; count++) {
    const line = lines[at + count - 1];
    if (line === undefined || isBlank(line) || isQuote(line)) return 0;
    joined += ` ${plain(line)}`;
    if (joined.length > ATTRIBUTION_MAX) return 0;
    if (!/[:：]$/.test(joined)) continue;
    // The line above an introduction is no part of it.
    const isWhole = count === 1 || attributionAt(lines, at + 1) === 0;
    return isWhole && isIntroduction(joined) ? count : 0;
  }
  return 0;
}

/** Where a quote begins that lasts to the end: programs that mark no lines put the whole quote there. */
function unmarkedQuoteAt(lines: readonly string[]): number {
  const labels = lines.map(labelOf);
  for (let at = 0; at < lines.length; at++) {
    if (isSeparator(lines[at] ?? '') || isHeader(labels, at)) {
      const before = plain(lines[at - 1] ?? '');
      return /^[_-]{8,}$/.test(before) ? at - 1 : at;
    }
    const count = attributionAt(lines, at);
    if (count === 0) continue;
    let next = at + count;
    while (next < lines.length && isBlank(lines[next] ?? '')) next++;
    if (next >= lines.length || !isQuote(lines[next] ?? '')) return at;
  }
  return lines.length;
}

interface Range {
  from: number;
  to: number;
}

/** The marked quotes, each with its introduction. */
function markedQuotes(lines: readonly string[], end: number): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < end; at++) {
    const introduction = attributionAt(lines, at);
    let to = at + introduction;
    while (introduction > 0 && to < end && isBlank(lines[to] ?? '')) to++;
    if (!isQuote(lines[to] ?? '')) continue;
    let last = to;
    for (; to < end && (isQuote(lines[to] ?? '') || isBlank(lines[to] ?? '')); to++)
      if (isQuote(lines[to] ?? '')) last = to;
    ranges.push({ from: at, to: last + 1 });
    at = last;
  }
  return ranges;
}

/**
 * The quotes to separate: one above or below the answer. Answers between quotes need them to be understood, so only the
 * last one, which nothing follows, is separated then.
 */
function quotesApart(lines: readonly string[], end: number): Range[] {
  const ranges = markedQuotes(lines, end);
  const last = ranges.at(-1);
  if (!last) return [];
  const isText = (from: number, to: number): boolean => lines.slice(from, to).some((line) => !isBlank(line));
  if (!isText(last.to, end)) return [last];
  return ranges.length === 1 && !isText(0, last.from) ? ranges : [];
}

/** RFC 3676: a line of two hyphens and a space; many programs drop the space. */
function signatureAt(lines: readonly string[]): number {
  const marked = lines.findLastIndex((line) => line === '-- ' || line === '--');
  if (marked > 0) return marked;
  let last = lines.findLastIndex((line) => !isBlank(line));
  for (let looked = 0; looked < SIGNATURE_LINES_MAX && last > 0; looked++, last--) {
    const line = plain(lines[last] ?? '');
    if (line.length <= 160 && PHONES.some((words) => line.includes(words))) return last;
  }
  return lines.length;
}

/** A marked signature below the last quote, which no text follows then. */
function signatureBelow(lines: readonly string[], end: number): number {
  const marked = lines.slice(0, end).lastIndexOf('-- ');
  return marked > 0 && !lines.slice(marked, end).some(isQuote) ? marked : end;
}

function tidy(lines: readonly string[]): string {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}

/**
 * Separates what a mail program quoted and the signature, in linear time. A mail that is only a quote stays as it is.
 */
export function separate(text: string): Separated {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const end = unmarkedQuoteAt(lines);
  const signed = signatureBelow(lines, end);
  const apart = [...quotesApart(lines, signed), { from: signed, to: end }, { from: end, to: lines.length }];
  const isApart = (at: number): boolean => apart.some(({ from, to }) => at >= from && at < to);
  const own = lines.filter((_, at) => !isApart(at));
  const signature = signatureAt(own);
  const body = tidy(own.slice(0, signature));
  if (body === '') return { text: tidy(lines), quoted: null };
  const quoted = [own.slice(signature), ...apart.map(({ from, to }) => lines.slice(from, to))]
    .map(tidy)
    .filter((part) => part !== '');
  return { text: body, quoted: quoted.length > 0 ? quoted.join('\n\n') : null };
}
