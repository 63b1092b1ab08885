/** The placeholders of a macro's text. Any other name between double braces is refused on saving. */
export const PLACEHOLDERS = [
  'visitor.name',
  'visitor.email',
  'ticket.id',
  'ticket.subject',
  'agent.name',
  'site.name',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Null or empty: there is no such value here. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | number | null>>;

const BRACES = /\{\{([^{}]*)\}\}/g;

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((known) => known === name);

/** What stands between double braces and is no placeholder, each once. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(BRACES)].map(([, name = '']) => name.trim());
  return [...new Set(names.filter((name) => !isPlaceholder(name)))];
}

/**
 * Puts values where their placeholders stand, in one pass: braces in a value stay text. A value that there isn't takes
 * the space before it along: "Hello {{visitor.name}}, thanks" becomes "Hello, thanks".
 */
export function fillMacroText(text: string, values: PlaceholderValues): string {
  let filled = '';
  let from = 0;
  for (const found of text.matchAll(BRACES)) {
    const [whole, name = ''] = found;
    const placeholder = name.trim();
    const before = text.slice(from, found.index);
    from = found.index + whole.length;
    if (!isPlaceholder(placeholder)) {
      filled += before + whole;
      continue;
    }
    const value = String(values[placeholder] ?? '');
    const standsAlone = value === '' && !/^[\p{L}\p{N}{]/u.test(text.slice(from, from + 2));
    filled += (standsAlone ? before.replace(/[ \t]$/, '') : before) + value;
  }
  return filled + text.slice(from);
}
