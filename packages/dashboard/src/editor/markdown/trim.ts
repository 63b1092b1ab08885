/** Removes trailing spaces in one pass: a pattern would start over at each space within the text. */
export function trimEndSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

/** Removes spaces at both ends; other white space stays. */
export const trimSpaces = (text: string): string => trimEndSpaces(text).replace(/^ +/, '');
