import { nestsTooDeeply, withoutTags } from './html-depth.ts';

const SKIPPED = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'object', 'svg']);
const BLOCKS = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
const SPACED = new Set('p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre'.split(' '));
const LINK_MAX = 500;
/** Deeper quotes look like this depth: the text must not grow with the square of the HTML. */
const QUOTE_DEPTH_MAX = 9;

/** Collects lines: one per block, quoted ones with `> ` in front. */
class Lines {
  readonly #lines: string[] = [];
  #line = '';
  #isBlank = true;
  depth = 0;

  text(text: string): void {
    const words = text.replace(/[\s\u00a0]+/g, ' ');
    this.#line += this.#line === '' || this.#line.endsWith(' ') ? words.trimStart() : words;
  }

  break(): void {
    this.#push(this.#line.trimEnd());
    this.#line = '';
  }

  /** Ends the line, if it has begun. */
  block(): void {
    if (this.#line.trim() !== '') this.break();
    this.#line = '';
  }

  gap(): void {
    this.block();
    if (!this.#isBlank) this.#push('');
  }

  #push(line: string): void {
    this.#isBlank = line === '';
    const quotes = '> '.repeat(Math.min(this.depth, QUOTE_DEPTH_MAX));
    this.#lines.push((quotes + line).trimEnd());
  }

  toString(): string {
    this.block();
    return this.#lines.join('\n').trim();
  }
}

/** HTML as plain text, in linear time: blocks as lines, quotes with `>`, and the address of a link after its text. */
export async function htmlToText(html: string): Promise<string> {
  if (nestsTooDeeply(html)) return withoutTags(html);
  const { Parser } = await import('htmlparser2');
  const lines = new Lines();
  const links: { href: string; text: string }[] = [];
  let skipped = 0;
  const parser = new Parser({
    onopentag(name, { href = '', alt = '' }) {
      if (SKIPPED.has(name)) skipped += 1;
      if (skipped > 0) return;
      if (name === 'br') lines.break();
      else if (SPACED.has(name)) lines.gap();
      else if (BLOCKS.has(name)) lines.block();
      if (name === 'blockquote') lines.depth += 1;
      if (name === 'li') lines.text('- ');
      if (name === 'td' || name === 'th') lines.text(' ');
      if (name === 'img' && alt.trim() !== '') lines.text(`[${alt.slice(0, LINK_MAX)}]`);
      if (name === 'a') links.push({ href, text: '' });
    },
    ontext(text) {
      if (skipped > 0) return;
      lines.text(text);
      const link = links.at(-1);
      if (link && link.text.length < LINK_MAX) link.text += text;
    },
    onclosetag(name) {
      if (SKIPPED.has(name)) skipped = Math.max(0, skipped - 1);
      if (skipped > 0) return;
      if (name === 'a') {
        const { href = '', text = '' } = links.pop() ?? {};
        const isShown = text.trim() === '' || href.includes(text.trim());
        if (/^https?:\/\//i.test(href) && href.length <= LINK_MAX && !isShown) lines.text(` (${href})`);
      }
      if (BLOCKS.has(name)) lines.block();
      if (name === 'blockquote') lines.depth = Math.max(0, lines.depth - 1);
      if (SPACED.has(name)) lines.gap();
    },
  });
  parser.write(html);
  parser.end();
  return lines.toString();
}
