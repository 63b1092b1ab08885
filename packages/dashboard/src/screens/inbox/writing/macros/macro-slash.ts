/**
 * Whether a slash that was just typed asks for a macro: it begins a word, and nothing stands right behind it. In an
 * address, a date or "and/or" it is a slash.
 */
export const isMacroSlash = (before: string, after: string): boolean =>
  /(?:^|\s)\/$/.test(before) && /^(?:\s|$)/.test(after);
