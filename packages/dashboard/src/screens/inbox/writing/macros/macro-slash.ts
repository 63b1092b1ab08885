/**
 * Whether a slash that was just typed opens the macros: it begins a word, and nothing follows directly. In an
 * address, a date or "and/or" it is just a slash.
 */
export const isMacroSlash = (before: string, after: string): boolean =>
  /(?:^|\s)\/$/.test(before) && /^(?:\s|$)/.test(after);
