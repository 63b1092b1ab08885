export type Inline =
  | string
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 'strike'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] };

/** What is recognised in a text; everything else is plain text. */
export interface Scope {
  /** Whether a link may lead to a path of the same site, besides web and mail addresses. */
  paths: boolean;
  /** False within a link, which can't contain another. */
  links: boolean;
  depth: number;
}

/** How far a closing mark is searched: keeps hostile text from taking quadratic time. */
const REACH = 3000;
const ADDRESS_MAX = 2000;
const DEEPEST = 6;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** The address if it may be followed: web, mail, or a path of the same site. */
export function safeHref(raw: string, paths: boolean): string | undefined {
  const href = raw.trim();
  if (/^(https?:\/\/|mailto:)\S+$/i.test(href)) return href;
  return paths && /^(\/(?![/\\])|#)[^\s\\]*$/.test(href) ? href : undefined;
}

const find = (text: string, mark: string, from: number): number => {
  const at = text.slice(from, from + REACH).indexOf(mark);
  return at === -1 ? -1 : from + at;
};

interface Found {
  node: Inline;
  end: number;
}

function codeAt(text: string, at: number): Found | undefined {
  let ticks = 1;
  while (text[at + ticks] === '`' && ticks < 8) ticks += 1;
  const mark = '`'.repeat(ticks);
  const close = find(text, mark, at + ticks);
  if (close === -1) return undefined;
  return { node: { type: 'code', text: text.slice(at + ticks, close).trim() }, end: close + ticks };
}

/** An image becomes a link to it: nothing is loaded from other sites. */
function linkAt(text: string, at: number, scope: Scope): Found | undefined {
  const middle = find(text, '](', at + 1);
  if (middle === -1) return undefined;
  const close = find(text, ')', middle + 2);
  if (close === -1) return undefined;
  const target = text.slice(middle + 2, close).replace(/(?<!\s)\s+"[^"]*"\s*$/, '');
  const href = safeHref(target.replace(/^<|>$/g, ''), scope.paths);
  if (href === undefined) return undefined;
  const label = readInline(text.slice(at + 1, middle), { ...scope, depth: scope.depth + 1, links: false });
  return { node: { type: 'link', href, children: label.length > 0 ? label : [href] }, end: close + 1 };
}

function markAt(text: string, at: number, scope: Scope): Found | undefined {
  const char = text[at] ?? '';
  const double = text[at + 1] === char;
  if (char === '~' && !double) return undefined;
  const mark = double ? char + char : char;
  const start = at + mark.length;
  if (/\s/.test(text[start] ?? ' ')) return undefined;
  // snake_case isn't emphasis.
  if (char === '_' && WORD.test(text[at - 1] ?? '')) return undefined;
  const close = find(text, mark, start + 1);
  if (close === -1 || /\s/.test(text[close - 1] ?? ' ')) return undefined;
  if (char === '_' && WORD.test(text[close + mark.length] ?? '')) return undefined;
  const type = char === '~' ? 'strike' : double ? 'strong' : 'em';
  const children = readInline(text.slice(start, close), { ...scope, depth: scope.depth + 1 });
  return { node: { type, children }, end: close + mark.length };
}

function addressAt(text: string, at: number): Found | undefined {
  if (!/[hm]/i.test(text[at] ?? '') || WORD.test(text[at - 1] ?? '')) return undefined;
  const match = /^(?:https?:\/\/|mailto:)[^\s<>"']+/i.exec(text.slice(at, at + ADDRESS_MAX));
  if (!match) return undefined;
  let href = match[0].replace(/(?<![.,;:!?*_~\]])[.,;:!?*_~\]]+$/, '');
  if (href.endsWith(')') && !href.includes('(')) href = href.slice(0, -1);
  return { node: { type: 'link', href, children: [href] }, end: at + href.length };
}

function specialAt(text: string, at: number, scope: Scope): Found | undefined {
  const char = text[at] ?? '';
  const next = text[at + 1] ?? '';
  if (char === '\\' && PUNCTUATION.test(next)) return { node: next, end: at + 2 };
  if (char === '\n') return { node: { type: 'break' }, end: at + 1 };
  if (char === '`') return codeAt(text, at);
  if (scope.depth >= DEEPEST) return undefined;
  if (char === '!' && next === '[' && scope.links) return linkAt(text, at + 1, scope);
  if (char === '[' && scope.links) return linkAt(text, at, scope);
  if (char === '*' || char === '_' || char === '~') return markAt(text, at, scope);
  return scope.links ? addressAt(text, at) : undefined;
}

/** Reads the text from left to right. What `look` doesn't recognise is plain text. */
function read(text: string, look: (at: number) => Found | undefined): Inline[] {
  const nodes: Inline[] = [];
  let plain = '';
  const put = (): void => {
    if (plain) nodes.push(plain);
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const { node, end } = look(at) ?? { node: text[at] ?? '', end: at + 1 };
    if (typeof node === 'string') plain += node;
    else {
      put();
      nodes.push(node);
    }
    at = end;
  }
  put();
  return nodes;
}

/** Emphasis, code, links and line breaks of one block. Everything else stays as written. */
export const readInline = (text: string, scope: Scope): Inline[] =>
  read(text, (at) => specialAt(text, at, scope));

/** Plain text with its addresses as links, for visitors' messages. */
export const linkify = (text: string): Inline[] => read(text, (at) => addressAt(text, at));
