import { endOf, type MarkdownProfile, type Token, wordsOf } from './markdown-html.ts';

type TextProfile = Pick<MarkdownProfile, 'link' | 'picture'>;

/** Markdown as plain text: blocks separated by an empty line, lists with their marks, links with addresses. */
export const textOfTokens = (tokens: readonly Token[], profile: TextProfile): string =>
  blocks(tokens, profile).join('\n\n');

/** The elements of one level: the opening token, and the tokens within. */
function elements(tokens: readonly Token[]): { open: Token; within: readonly Token[] }[] {
  const found = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const open = tokens[at];
    if (!open) break;
    const end = open.nesting === 1 ? endOf(tokens, at) : at;
    found.push({ open, within: tokens.slice(at + 1, end) });
    at = end;
  }
  return found;
}

const blocks = (tokens: readonly Token[], profile: TextProfile): string[] =>
  elements(tokens)
    .map(({ open, within }) => block(open, within, profile))
    .filter((text) => text !== '');

function block(open: Token, within: readonly Token[], profile: TextProfile): string {
  switch (open.type) {
    case 'inline':
      return inlines(open.children ?? [], profile);
    case 'fence':
      return indented(open.content.trimEnd(), '    ');
    case 'hr':
      return '---';
    case 'bullet_list_open':
      return items(within, () => '- ', profile);
    case 'ordered_list_open': {
      const start = Number(open.attrGet('start') ?? 1);
      return items(within, (at) => `${start + at}. `, profile);
    }
    case 'blockquote_open':
      return indented(blocks(within, profile).join('\n\n'), '> ');
    case 'table_open':
      return elements(within)
        .flatMap(({ within: rows }) => elements(rows))
        .map(({ within: cells }) => elements(cells).map((cell) => blocks(cell.within, profile).join(' ')))
        .map((cells) => cells.join(' | '))
        .join('\n');
    default:
      return blocks(within, profile).join('\n\n');
  }
}

const indented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => (by + line).trimEnd())
    .join('\n');

/** The lines under an item's first line are aligned with its text. */
const items = (tokens: readonly Token[], mark: (at: number) => string, profile: TextProfile): string =>
  elements(tokens)
    .map(({ within }, at) => {
      const text = indented(blocks(within, profile).join('\n'), ' '.repeat(mark(at).length));
      return mark(at) + text.trimStart();
    })
    .join('\n');

const inlines = (tokens: readonly Token[], profile: TextProfile): string =>
  elements(tokens)
    .map(({ open, within }) => inline(open, within, profile))
    .join('');

function inline(open: Token, within: readonly Token[], profile: TextProfile): string {
  switch (open.type) {
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'image': {
      const address = String(open.attrGet('src') ?? '');
      return titled(wordsOf(open.children ?? []), profile.picture(address) ?? profile.link(address));
    }
    case 'link_open': {
      const text = inlines(within, profile);
      const isAddress = open.markup === 'linkify' || open.markup === 'autolink';
      return isAddress ? text : titled(text, profile.link(String(open.attrGet('href') ?? '')));
    }
    // Without a mark, struck out text would seem valid.
    case 's_open':
      return `~${inlines(within, profile)}~`;
    default:
      return open.nesting === 1 ? inlines(within, profile) : open.content;
  }
}

/** `title (address)`, once where both are the same. */
const titled = (title: string, address: string | undefined): string => {
  const shown = address?.replace(/^(?:mailto|tel):/i, '');
  if (shown === undefined || shown === title) return title;
  return title === '' ? shown : `${title} (${shown})`;
};
