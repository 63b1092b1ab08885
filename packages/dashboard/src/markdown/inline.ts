export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 'strike'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] };

/** How far a closing mark is looked for: keeps hostile text from costing the square of its length. */
const REACH = 3000;
const DEEPEST = 6;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** An address that may be followed: web, mail, or a path of the same site. Everything else is only text. */
export function safeHref(raw: string): string | undefined {
  const href = raw.trim();
  if (/^(https?:\/\/|mailto:)[^\s]+$/i.test(href)) return href;
  if (/^(\/(?![/\\])|#)[^\s\\]*$/.test(href)) return href;
  return undefined;
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

function linkAt(text: string, at: number, depth: number): Found | undefined {
  const middle = find(text, '](', at + 1);
  if (middle === -1) return undefined;
  const close = find(text, ')', middle + 2);
  if (close === -1) return undefined;
  const target = text.slice(middle + 2, close).replace(/(?<!\s)\s+"[^"]*"\s*$/, '');
  const href = safeHref(target.replace(/^<|>$/g, ''));
  if (href === undefined) return undefined;
  const children = parseInline(text.slice(at + 1, middle), depth + 1, false);
  return { node: { type: 'link', href, children }, end: close + 1 };
}

function markAt(text: string, at: number, depth: number): Found | undefined {
  const char = text[at] ?? '';
  const double = text[at + 1] === char;
  if (char === '~' && !double) return undefined;
  const mark = double ? char + char : char;
  const start = at + mark.length;
  if (/\s/.test(text[start] ?? ' ')) return undefined;
  if (char === '_' && WORD.test(text[at - 1] ?? '')) return undefined;
  const close = find(text, mark, start + 1);
  if (close === -1 || /\s/.test(text[close - 1] ?? ' ')) return undefined;
  if (char === '_' && WORD.test(text[close + mark.length] ?? '')) return undefined;
  const type = char === '~' ? 'strike' : double ? 'strong' : 'em';
  return {
    node: { type, children: parseInline(text.slice(start, close), depth + 1) },
    end: close + mark.length,
  };
}

function addressAt(text: string, at: number): Found | undefined {
  if (WORD.test(text[at - 1] ?? '')) return undefined;
  const match = /^https?:\/\/[^\s<>"']+/i.exec(text.slice(at, at + 2000));
  if (!match) return undefined;
  let address = match[0].replace(/(?<![.,;:!?*_~])[.,;:!?*_~]+$/, '');
  if (address.endsWith(')') && !address.includes('(')) address = address.slice(0, -1);
  return {
    node: { type: 'link', href: address, children: [{ type: 'text', text: address }] },
    end: at + address.length,
  };
}

function specialAt(text: string, at: number, depth: number, links: boolean): Found | undefined {
  const char = text[at];
  if (char === '\\' && PUNCTUATION.test(text[at + 1] ?? '')) {
    return { node: { type: 'text', text: text[at + 1] ?? '' }, end: at + 2 };
  }
  if (char === '\n') return { node: { type: 'break' }, end: at + 1 };
  if (char === '`') return codeAt(text, at);
  if (depth >= DEEPEST) return undefined;
  if (char === '!' && text[at + 1] === '[' && links) return linkAt(text, at + 1, depth);
  if (char === '[' && links) return linkAt(text, at, depth);
  if (char === '*' || char === '_' || char === '~') return markAt(text, at, depth);
  if ((char === 'h' || char === 'H') && links) return addressAt(text, at);
  return undefined;
}

/** Emphasis, code, links and line breaks of one block. What is no markdown stays as it was written. */
export function parseInline(text: string, depth = 0, links = true): Inline[] {
  const nodes: Inline[] = [];
  let plain = '';
  const put = (): void => {
    if (plain) nodes.push({ type: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const found = specialAt(text, at, depth, links);
    if (!found) {
      plain += text[at];
      at += 1;
    } else if (found.node.type === 'text') {
      plain += found.node.text;
      at = found.end;
    } else {
      put();
      nodes.push(found.node);
      at = found.end;
    }
  }
  put();
  return nodes;
}
