/**
 * Characters that mean something in markdown at their position: only these are escaped, so that the source stays
 * readable.
 */
const SPECIAL = /[\\`*_~[\]<&!]/g;
const WORD = /[\p{L}\p{N}]/u;
const SPACE = /\s/;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;

/** The neighbours of a text: a space at the edge of its block, otherwise the mark between it and the next text. */
export interface Around {
  before: string;
  after: string;
  inLink: boolean;
}

const means = (char: string, previous: string, next: string, rest: string, inLink: boolean): boolean => {
  switch (char) {
    case '\\':
      return ASCII_PUNCTUATION.test(next);
    case '`':
      return true;
    case '*':
      return !(SPACE.test(previous) && SPACE.test(next));
    case '_':
      return !(SPACE.test(previous) && SPACE.test(next)) && !(WORD.test(previous) && WORD.test(next));
    case '~':
      return previous === '~' || next === '~';
    case '[':
      return inLink;
    case ']':
      return inLink || next === '(';
    case '<':
      return /^<[a-z/!?]/i.test(rest);
    case '&':
      return /^&#?\w{1,32};/.test(rest);
    default:
      return next === '[';
  }
};

/** Escapes a text within a line so that it shows exactly as it is. */
export const escapeText = (text: string, { before, after, inLink }: Around): string =>
  text.replace(SPECIAL, (char, at: number) => {
    const previous = text[at - 1] ?? before;
    const next = text[at + 1] ?? after;
    return means(char, previous, next, text.slice(at, at + 40), inLink) ? `\\${char}` : char;
  });

/** Escapes everything that could be markup anywhere. */
export const escapeAll = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** Escapes what would begin a heading, list, quotation, table or definition at the beginning of a line. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(?:[-+*_](?=\s|$)|#{1,6}(?=\s|$)|[>|]|=+\s*$|-{2,}\s*$|:?-+\s*\||:-|\[(?=[^\]]*\]:))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
