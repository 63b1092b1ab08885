/** The placeholders of a macro's text. Any other name between double braces is refused on saving. */
export const PLACEHOLDERS = [
  'visitor.name',
  'visitor.email',
  'ticket.id',
  'ticket.subject',
  'agent.name',
  'site.name',
] as const;
/** Those of an email signature: what it says holds for every customer. */
export const SIGNATURE_PLACEHOLDERS = ['agent.name', 'site.name'] as const satisfies readonly Placeholder[];
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Null or empty: there is no such value here. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | number | null>>;

const NO_VALUES: PlaceholderValues = {
  'visitor.name': null,
  'visitor.email': null,
  'ticket.id': null,
  'ticket.subject': null,
  'agent.name': null,
  'site.name': null,
};

const BRACES = /\{\{([^{}]*)\}\}/g;

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((known) => known === name);

/** What stands between double braces and is none of the placeholders, each once. */
export function unknownPlaceholders(text: string, known: readonly string[] = PLACEHOLDERS): string[] {
  const names = [...text.matchAll(BRACES)].map(([, name = '']) => name.trim());
  return [...new Set(names.filter((name) => !known.includes(name)))];
}

/** A signature as the customer reads it; empty where nothing is left of it. */
export const fillSignature = (signature: string, agentName: string, siteName: string): string =>
  fillMacroText(signature, {
    ...NO_VALUES,
    'agent.name': agentName,
    'site.name': siteName,
  }).trim();

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
