/** Joins class names, leaving out what is absent. */
export const cx = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');

/** One line, whose end shows as a tip; on phones, where nothing hovers, as many as it needs. */
export const LINE = 'truncate max-sm:wrap-anywhere max-sm:whitespace-normal';
