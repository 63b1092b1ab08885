const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);

/** HTML that needs no escaping. Only `html` creates it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Used only by `html`, which escapes everything else. */
  static ofParts(strings: readonly string[], parts: readonly HtmlPart[]): Html {
    return new Html(strings.map((string, at) => string + written(parts[at])).join(''));
  }

  toString(): string {
    return this.#text;
  }
}

/** Missing and false parts render as nothing, so a condition can omit a part. */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

function written(part: HtmlPart): string {
  if (part === undefined || part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.map(written).join('') : escaped(String(part));
}

/**
 * A template that escapes its values, except those that are `Html` already. Attribute values must be quoted in the
 * template.
 */
export const html = (strings: TemplateStringsArray, ...parts: HtmlPart[]): Html =>
  Html.ofParts(strings, parts);

/** Web addresses in a text, without the punctuation that ends a sentence. */
const ADDRESS = /https?:\/\/[^\s<>"'`\p{Cc}]+/giu;
const ENDING = /(?<![.,;:!?)\]}*_~…])[.,;:!?)\]}*_~…]+$/u;

/** Escaped text whose web addresses are links without a referrer. */
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
