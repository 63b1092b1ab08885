import { html } from '../base/html.ts';
import { nestsTooDeeply, withoutTags } from './html-depth.ts';
import { collapseQuotes, QUOTE_MARKS, quoteOf } from './html-quotes.ts';

/** How a mail's HTML is shown. */
export interface ShownMail {
  /** The address of a file that the HTML refers to by its `Content-ID`; undefined if the mail has none. */
  cidUrl(contentId: string): string | undefined;
  /** Pictures of other servers: replaced, or fetched through a proxy so that the sender learns nothing of the reader. */
  remote: 'block' | 'proxy';
  /** The proxy's address of a picture; undefined if it fetches none from there. */
  proxyUrl?(url: string): string | undefined;
}

export interface SanitizedMail {
  html: string;
  /** How many pictures of other servers were replaced. */
  blocked: number;
}

/** More than a newsletter has: a mail must not occupy the proxy. */
const REMOTE_MAX = 200;
/** Replaces a blocked picture. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const TAGS =
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var'.split(
    ' ',
  );
const COMMON = ['dir', 'lang', 'title', 'align', 'valign', 'bgcolor', 'width', 'height', 'style'];
/** Without parentheses, except those of a colour: `url()` would load something. */
const VALUE = /^(?:[^\\;:{}<>@()]{1,200}|rgba?\([\d\s.,%/]{1,60}\))$/i;
const PROPERTIES = new Set(
  'color background-color font-family font-size font-style font-weight font-variant line-height letter-spacing text-align text-decoration text-indent text-transform vertical-align white-space word-break overflow-wrap direction width max-width min-width height padding padding-top padding-right padding-bottom padding-left margin margin-top margin-right margin-bottom margin-left border border-top border-right border-bottom border-left border-color border-style border-width border-collapse border-spacing border-radius list-style-type display'.split(
    ' ',
  ),
);

/** The declarations of a style attribute that only affect formatting. Linear; a CSS parser takes most of the time. */
const styleOf = (style: string): string =>
  style
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
      const value = declaration
        .slice(colon + 1)
        .replace(/!\s{0,9}important/i, '')
        .trim();
      return PROPERTIES.has(name) && VALUE.test(value) ? [`${name}:${value}`] : [];
    })
    .join(';');

/** Options of the sanitizer: anything else is dropped. */
const RULES = {
  allowedTags: TAGS,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'head', 'template'],
  allowedAttributes: {
    '*': COMMON,
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'border'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan', 'nowrap'],
    th: ['colspan', 'rowspan', 'nowrap'],
    ol: ['start', 'type'],
  },
  // `styleOf` has done it.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  // Addresses that this function has inserted: of files, of the proxy, and the placeholder.
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  nestingLimit: 200,
};

type Attributes = Record<string, string>;

/** Elements that begin a quote become marks for `collapseQuotes`; nothing else may look like one. */
const marked =
  (otherwise: string) =>
  (name: string, attribs: Attributes): { tagName: string; attribs: Attributes } => {
    const quote = quoteOf(name, attribs);
    if (quote === undefined) return { tagName: otherwise, attribs };
    return { tagName: QUOTE_MARKS[quote], attribs: {} };
  };

/** A link to somewhere else, in a tab of its own. Others would lead into the desk. */
function linkOf(tagName: string, { href = '', ...attribs }: Attributes) {
  const isAbsolute = /^(?:https?|mailto|tel):/i.test(href.trim());
  return {
    tagName,
    attribs: {
      ...attribs,
      ...(isAbsolute ? { href, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}),
    },
  };
}

/**
 * A mail's HTML that is safe in a frame without scripts: only text, its formatting, links and pictures, with collapsed
 * quotes. Nothing of it loads from another server unless `remote` allows it.
 */
export async function sanitizeMailHtml(
  source: string,
  { cidUrl, remote, proxyUrl }: ShownMail,
): Promise<SanitizedMail> {
  if (nestsTooDeeply(source)) return { html: html`<p>${withoutTags(source)}</p>`.toString(), blocked: 0 };
  const { default: sanitizeHtml } = await import('sanitize-html');
  let blocked = 0;
  let fetched = 0;
  const pictureOf = (src: string): string | undefined => {
    if (/^cid:/i.test(src)) return cidUrl(src.slice(4).replace(/^<|>$/g, ''));
    if (/^data:image\/(?:png|gif|jpe?g|webp);base64,[a-z\d+/=\s]{1,2000000}$/i.test(src)) return src;
    if (!/^https?:\/\//i.test(src)) return undefined;
    if (remote === 'proxy' && proxyUrl) return ++fetched > REMOTE_MAX ? undefined : proxyUrl(src);
    blocked += 1;
    return PIXEL;
  };
  const clean = sanitizeHtml(source, {
    ...RULES,
    transformTags: {
      '*': (tagName, attribs) => {
        const { style, ...others } = attribs;
        const kept = style === undefined ? '' : styleOf(style);
        return { tagName, attribs: kept === '' ? others : { ...others, style: kept } };
      },
      a: linkOf,
      div: marked('div'),
      blockquote: marked('blockquote'),
      details: marked('div'),
      section: marked('div'),
      img(tagName, attribs) {
        const { src = '', ...others } = attribs;
        const shown = pictureOf(src.trim());
        return shown === undefined
          ? { tagName: 'span', attribs: {}, text: others.alt ?? '' }
          : { tagName, attribs: { ...others, src: shown } };
      },
    },
  });
  return { html: collapseQuotes(clean), blocked };
}
