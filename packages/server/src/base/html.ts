const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);

/** HTML that may stand in HTML as it is; only `html` makes it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Used by `html` alone: everything else goes through its escaping. */
  static ofParts(strings: readonly string[], parts: readonly HtmlPart[]): Html {
    return new Html(strings.map((string, at) => string + written(parts[at])).join(''));
  }

  toString(): string {
    return this.#text;
  }
}

/** What is missing or false is nothing, so that a part can be left out by a condition. */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

function written(part: HtmlPart): string {
  if (part === undefined || part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.map(written).join('') : escaped(String(part));
}

/** A template whose values are text and are escaped, save for what is `Html` already; attributes stand in quotes. */
export const html = (strings: TemplateStringsArray, ...parts: HtmlPart[]): Html =>
  Html.ofParts(strings, parts);

/** Addresses in a text; what ends a sentence is no part of one. */
const ADDRESS = /https?:\/\/[^\s<>"'`\p{Cc}]+/giu;
const ENDING = /(?<![.,;:!?)\]}*_~…])[.,;:!?)\]}*_~…]+$/u;

/** A text as it was written, its web addresses as links that carry nothing from here. */
export function linked(text: string): Html {
  const parts: HtmlPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(ENDING, '');
    if (!URL.canParse(address)) continue;
    parts.push(text.slice(from, index));
    parts.push(html`<a href="${address}" rel="noopener noreferrer nofollow ugc">${address}</a>`);
    from = index + address.length;
  }
  return html`${[...parts, text.slice(from)]}`;
}
