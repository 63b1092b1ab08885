import type { SourceProblem } from '@foyer/protocol';

/** The text of a file or a page, or why it has none. */
export type Extracted =
  | {
      /** Null if the file has none of its own. */
      readonly title: string | null;
      /** Markdown. */
      readonly body: string;
      /** The file has more than BODY_MAX_CHARS, and the rest was not read. */
      readonly isCut: boolean;
    }
  | { readonly problem: SourceProblem };

/** The maximum length of an article, and what the search index reads of one. */
export const BODY_MAX_CHARS = 200_000;
const TITLE_MAX_CHARS = 300;

/** Text that PostgreSQL accepts: no NUL, no other control characters, no broken surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;
const clean = (text: string): string => text.replace(CONTROLS, '').toWellFormed();

/** Cuts the text to the limit; a text without a letter or digit is a scan, or empty. */
export function extractedText(title: string | null, markdown: string): Extracted {
  const body = clean(markdown)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(body)) return { problem: 'no_text' };
  const named = clean(title ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, TITLE_MAX_CHARS)
    .toWellFormed();
  return {
    title: named === '' ? null : named,
    body: body.slice(0, BODY_MAX_CHARS).toWellFormed(),
    isCut: body.length > BODY_MAX_CHARS,
  };
}
