import type { Edit, Written } from './marks.ts';

type LineKind = 'heading' | 'subheading' | 'bullets' | 'numbers' | 'quote';

const PREFIX: Record<LineKind, (at: number) => string> = {
  heading: () => '## ',
  subheading: () => '### ',
  bullets: () => '- ',
  numbers: (at) => `${at + 1}. `,
  quote: () => '> ',
};
const ANY_PREFIX = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> )/;

/** Toggles the selected lines between headings, items or a quotation and plain lines. */
export function toggleLines({ text, start, end }: Written, kind: LineKind): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isThere = lines.every((line, at) => line.startsWith(PREFIX[kind](at)));
  const changed = lines.map((line, at) => (isThere ? '' : PREFIX[kind](at)) + line.replace(ANY_PREFIX, ''));
  const insert = changed.join('\n');
  const caret = from + insert.length;
  return { from, to, insert, select: start === end ? [caret, caret] : [from, caret] };
}

/** A link around the selection, or around `words`. Its address is selected, to be typed over. */
export function insertLink({ text, start, end }: Written, words: string): Edit {
  const shown = text.slice(start, end) || words;
  const address = 'https://';
  const at = start + shown.length + 3;
  return { from: start, to: end, insert: `[${shown}](${address})`, select: [at, at + address.length] };
}

/** An image at the caret, on its own line. */
export function insertImage({ text, start, end }: Written, name: string, path: string): Edit {
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n\n';
  const description = name.replace(/\.[a-z0-9]+$/i, '').replace(/[[\]\\]/g, ' ');
  const insert = `${before}![${description}](${path})\n`;
  const caret = start + insert.length;
  return { from: start, to: end, insert, select: [caret, caret] };
}
