/** The few forms that bot and agents use; everything else is text. Never HTML. */
export type Inline =
  | string
  | { type: 'strong' | 'em'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'break' };

export type Block =
  | { type: 'paragraph' | 'heading' | 'quote'; children: Inline[] }
  | { type: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { type: 'code'; text: string };

const NESTING_MAX = 4;
const BARE_LINK = /^(?:https?:\/\/|mailto:)[^\s<>"]+/i;
const TRAILING = /[.,;:!?'")\]]+$/;
const PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** The address if it is one that may be followed, else null: no `javascript:`, no relative ones. */
export const safeHref = (address: string): string | null => {
  try {
    const url = new URL(address);
    return PROTOCOLS.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
};

/** Plain text with its bare addresses as links: what a visitor wrote. */
export const linkify = (text: string): Inline[] => parse(text, NESTING_MAX, false);

const parseInline = (text: string): Inline[] => parse(text, 0, true);

/** One pass from left to right; each form that does not close is the text that it looks like. */
const parse = (text: string, depth: number, marked: boolean): Inline[] => {
  const found: Inline[] = [];
  let plain = '';
  const push = (item: Inline) => {
    if (plain) found.push(plain);
    plain = '';
    found.push(item);
  };
  let at = 0;
  while (at < text.length) {
    const form = (marked && matchForm(text, at, depth)) || matchBareLink(text, at);
    if (form) {
      push(form.item);
      at = form.end;
    } else {
      if (marked && text[at] === '\\' && /[\\`*_[\]()#+\-.!>]/.test(text[at + 1] ?? '')) at++;
      plain += text[at];
      at++;
    }
  }
  if (plain) found.push(plain);
  return found;
};

/** Without a bound, text that opens many forms and closes none would cost the square of its length. */
const REACH = 3000;

const find = (text: string, mark: string, from: number): number => {
  const at = text.slice(from, from + REACH).indexOf(mark);
  return at < 0 ? at : from + at;
};

type Form = { item: Inline; end: number } | null;

const matchForm = (text: string, at: number, depth: number): Form => {
  const char = text[at];
  if (char === '\n') return { item: { type: 'break' }, end: at + 1 };
  if (char === '`') {
    const end = find(text, '`', at + 1);
    return end > at + 1 ? { item: { type: 'code', text: text.slice(at + 1, end) }, end: end + 1 } : null;
  }
  if (depth >= NESTING_MAX) return null;
  if (char === '*' || char === '_') return matchEmphasis(text, at, depth);
  if (char === '[' || (char === '!' && text[at + 1] === '[')) return matchLink(text, at, depth);
  return null;
};

const matchEmphasis = (text: string, at: number, depth: number): Form => {
  const mark = text.startsWith((text[at] ?? '').repeat(2), at) ? text.slice(at, at + 2) : (text[at] ?? '');
  const inside = at + mark.length;
  // snake_case is no emphasis.
  if (mark[0] === '_' && /\w/.test(text[at - 1] ?? '')) return null;
  if (/\s/.test(text[inside] ?? ' ')) return null;
  const end = find(text, mark, inside);
  if (end <= inside || /\s/.test(text[end - 1] ?? '')) return null;
  if (mark[0] === '_' && /\w/.test(text[end + mark.length] ?? '')) return null;
  const children = parse(text.slice(inside, end), depth + 1, true);
  return { item: { type: mark.length === 2 ? 'strong' : 'em', children }, end: end + mark.length };
};

/** A picture becomes a link to it: nothing is loaded from strangers. */
const matchLink = (text: string, at: number, depth: number): Form => {
  const open = text[at] === '!' ? at + 1 : at;
  const middle = find(text, '](', open);
  const end = middle < 0 ? -1 : find(text, ')', middle);
  if (end < 0 || text.slice(open, middle).includes('\n')) return null;
  const href = safeHref(text.slice(middle + 2, end).trim());
  if (href === null) return null;
  const label = text.slice(open + 1, middle);
  // Links do not nest, so a label is not searched for more of them.
  const children = label ? parse(label, Math.max(depth, NESTING_MAX - 1), false).map(unlink) : [href];
  return { item: { type: 'link', href, children }, end: end + 1 };
};

const unlink = (item: Inline): Inline =>
  typeof item === 'object' && item.type === 'link' ? item.children.map(String).join('') : item;

const matchBareLink = (text: string, at: number): Form => {
  if (!/[hm]/i.test(text[at] ?? '') || /\w/.test(text[at - 1] ?? '')) return null;
  const match = BARE_LINK.exec(text.slice(at, at + 2000))?.[0].replace(TRAILING, '');
  const href = match === undefined ? null : safeHref(match);
  if (match === undefined || href === null) return null;
  return { item: { type: 'link', href, children: [match] }, end: at + match.length };
};

const BULLET = /^\s{0,3}[-*+]\s+/;
const NUMBER = /^\s{0,3}(\d{1,9})[.)]\s+/;
const HEADING = /^#{1,6}\s+/;
const QUOTE = /^>\s?/;
const FENCE = /^\s*```/;

const startsBlock = (line: string): boolean =>
  [BULLET, NUMBER, HEADING, QUOTE, FENCE].some((form) => form.test(line));

/** Markdown as blocks of plain data; `view/Rich.tsx` makes elements of them. */
export const parseMarkdown = (text: string): Block[] => {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  /** The lines from here on that are of one kind. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const from = at;
    at++;
    while (at < lines.length && belongs(lines[at] ?? '')) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') at++;
    else if (FENCE.test(line)) {
      const inside = take((next) => !FENCE.test(next)).slice(1);
      at++;
      blocks.push({ type: 'code', text: inside.join('\n') });
    } else if (HEADING.test(line)) {
      at++;
      blocks.push({ type: 'heading', children: parseInline(line.replace(HEADING, '')) });
    } else if (QUOTE.test(line)) {
      const inside = take((next) => QUOTE.test(next)).map((next) => next.replace(QUOTE, ''));
      blocks.push({ type: 'quote', children: parseInline(inside.join('\n')) });
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      blocks.push(parseList(take((next) => next.trim() !== '' && !isOther(next, line))));
    } else {
      const inside = take((next) => next.trim() !== '' && !startsBlock(next));
      blocks.push({ type: 'paragraph', children: parseInline(inside.join('\n')) });
    }
  }
  return blocks;
};

/** Whether the line ends the list that `first` began; a line without a mark goes on with its item. */
const isOther = (line: string, first: string): boolean =>
  startsBlock(line) && !(BULLET.test(first) ? BULLET : NUMBER).test(line);

const parseList = (lines: string[]): Block => {
  const number = NUMBER.exec(lines[0] ?? '');
  const mark = number ? NUMBER : BULLET;
  const items: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''));
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  return {
    type: 'list',
    ordered: number !== null,
    start: Number(number?.[1] ?? 1),
    items: items.map(parseInline),
  };
};
