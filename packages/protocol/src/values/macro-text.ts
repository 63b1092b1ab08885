/** The placeholders of a macro's text. Saving refuses any other name between double braces. */
export const PLACEHOLDERS = [
  'visitor.name',
  'visitor.email',
  'ticket.id',
  'ticket.subject',
  'agent.name',
  'site.name',
] as const;
/** The placeholders of an email signature, which is the same for every customer. */
export const SIGNATURE_PLACEHOLDERS = ['agent.name', 'site.name'] as const satisfies readonly Placeholder[];
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Null or empty: no value. */
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

/** The unknown placeholders in a text, each once. */
export function unknownPlaceholders(text: string, known: readonly string[] = PLACEHOLDERS): string[] {
  const names = [...text.matchAll(BRACES)].map(([, name = '']) => name.trim());
  return [...new Set(names.filter((name) => !known.includes(name)))];
}

/** A signature as the customer reads it; may be empty. */
export const fillSignature = (signature: string, agentName: string, siteName: string): string =>
  fillMacroText(signature, {
    ...NO_VALUES,
    'agent.name': agentName,
    'site.name': siteName,
  }).trim();

/**
 * Replaces placeholders by their values in one pass: braces in a value stay text. A missing value also removes the
 * space before it: "Hello {{visitor.name}}, thanks" becomes "Hello, thanks".
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
