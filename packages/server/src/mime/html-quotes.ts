/** The names that mail programs give to the element around a quote. */
const AROUND =
  /\b(?:gmail_quote(?:_container)?|yahoo_quoted|protonmail_quote|zmail_extra|tutanota_quote|moz-forward-container)\b/;
/** Outlook: the quote begins with this element and lasts to the end. */
const BEFORE = /(?:divrplyfwdmsg|appendonsend|mail-editor-reference-message-container)$/i;
/** The line that Outlook for Windows draws above the headers of a quoted mail. */
const LINE = /border-top:\s{0,9}solid\s{1,9}#(?:e1e1e1|b5c4df)/i;

/** What an element of a mail's HTML begins: a quote within it, one from here to the end, or none. */
export function quoteOf(
  name: string,
  attributes: Record<string, string>,
): 'around' | 'from_here' | undefined {
  if (name === 'blockquote') return attributes.type?.toLowerCase() === 'cite' ? 'around' : undefined;
  if (name !== 'div') return undefined;
  const { class: classes = '', id = '', style = '', name: label = '' } = attributes;
  if (AROUND.test(classes) || label === 'quote') return 'around';
  return BEFORE.test(id) || LINE.test(style) ? 'from_here' : undefined;
}

const TAG = /<(\/?)([a-z][a-z\d]*)(?:\s[^<>]*)?>/g;
const VOID = new Set(['br', 'hr', 'img', 'col']);
/** The elements that mark a quote for `collapseQuotes`: around it, and before one that lasts to the end. */
export const QUOTE_MARKS = { around: 'details', from_here: 'section' } as const;

const isEmpty = (html: string): boolean =>
  !/<img\b/.test(html) && html.replace(/<[^<>]*>/g, '').trim() === '';

/** Copies sanitized HTML, and puts its quotes into collapsed elements. */
class Collapsing {
  shown = '';
  #depth = 0;
  /** The open quote, and the depth that it was begun in. */
  #quote: { depth: number; isAround: boolean } | undefined;
  #isFirst = true;

  open(tag: string, name: string): void {
    const isMark = name === QUOTE_MARKS.around || name === QUOTE_MARKS.from_here;
    if (isMark && !this.#quote) {
      const isAround = name === QUOTE_MARKS.around;
      this.#quote = { depth: this.#depth, isAround };
      // A mail that is only a quote, such as a forwarded one, has nothing else to read.
      const isWhole = this.#isFirst && isEmpty(this.shown);
      this.#isFirst = false;
      this.shown += `<details${isWhole ? ' open' : ''}><summary>•••</summary>${isAround ? '' : '<div>'}`;
    } else this.shown += isMark ? '<div>' : tag;
    this.#depth += 1;
  }

  close(tag: string, name: string): void {
    this.#depth -= 1;
    const { depth = -1, isAround = false } = this.#quote ?? {};
    if (this.#quote && isAround && this.#depth === depth) {
      this.end();
      return;
    }
    if (!isAround && this.#depth < depth) this.end();
    this.shown += name === QUOTE_MARKS.around || name === QUOTE_MARKS.from_here ? '</div>' : tag;
  }

  end(): void {
    if (this.#quote) this.shown += '</details>';
    this.#quote = undefined;
  }
}

/** Collapses the quotes of sanitized HTML, whose every `details` and `section` is a mark. Linear. */
export function collapseQuotes(html: string): string {
  const collapsing = new Collapsing();
  let last = 0;
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(TAG)) {
    if (VOID.has(name)) continue;
    collapsing.shown += html.slice(last, index);
    last = index + tag.length;
    if (slash === '/') collapsing.close(tag, name);
    else collapsing.open(tag, name);
  }
  collapsing.shown += html.slice(last);
  collapsing.end();
  return collapsing.shown;
}
