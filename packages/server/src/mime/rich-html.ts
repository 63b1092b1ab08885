import { nestsTooDeeply } from './html-depth.ts';
import { quoteOf } from './html-quotes.ts';

/** Elements that plain text can't show. Programs write paragraphs, spans and fonts for every text. */
const FORMATS = new Set('b strong i em u s strike del mark ul ol h1 h2 h3 h4 h5 h6 pre'.split(' '));
/** The maximum width of a picture that only tells the sender that the mail was opened. */
const PIXEL_MAX = 3;
const PIECE_CHARS = 2_000;
const SKIPPED = new Set(['style', 'script', 'head', 'title']);

const isPixel = ({ width = '', height = '' }: Record<string, string>): boolean =>
  [width, height].some((size) => size !== '' && Number.parseInt(size, 10) <= PIXEL_MAX);

/** Whether a mail's own part, before its quotes, has formatting, pictures or a table that its text lacks. Linear. */
export async function isRichHtml(html: string): Promise<boolean> {
  if (nestsTooDeeply(html)) return false;
  const { Parser } = await import('htmlparser2');
  let skipped = 0;
  let cells = 0;
  let isRich = false;
  let isOver = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isOver) return;
      if (SKIPPED.has(name)) skipped += 1;
      if (skipped > 0) return;
      if (quoteOf(name, attributes) !== undefined) isOver = true;
      else if (name === 'td') cells += 1;
      else if (FORMATS.has(name) || (name === 'img' && !isPixel(attributes))) isRich = true;
      if (cells > 1 || isRich) {
        isRich = true;
        isOver = true;
      }
    },
    onclosetag(name) {
      if (SKIPPED.has(name)) skipped = Math.max(0, skipped - 1);
    },
  });
  // Most of a mail is often quoted text, which isn't checked.
  for (let at = 0; at < html.length && !isOver; at += PIECE_CHARS)
    parser.write(html.slice(at, at + PIECE_CHARS));
  parser.end();
  return isRich;
}
