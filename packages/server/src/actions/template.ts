const PLACEHOLDER = /\{\{([^{}]{0,100})\}\}/g;

/** What fills placeholders, by name. */
export type Values = Readonly<Record<string, string>>;

const filling = (values: Values, name: string): string => {
  const key = name.trim();
  return Object.hasOwn(values, key) ? (values[key] ?? '') : '';
};

/** The names between double braces, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))];
}

/** Puts escaped values in the place of their names, in one pass: braces in a value stay text. */
export function fill(text: string, values: Values, escaped: (value: string) => string): string {
  return text.replace(PLACEHOLDER, (_, name: string) => escaped(filling(values, name)));
}

/** A value as one path segment: it can neither end the segment nor go up. */
function asUrlPart(value: string): string {
  const part = encodeURIComponent(value.toWellFormed());
  return /^\.{1,2}$/.test(part) ? '' : part;
}

/** The address with its values encoded; undefined if a value, such as `..`, would change where it leads. */
export function fillUrl(url: string, values: Values): string | undefined {
  const filled = fill(url, values, asUrlPart);
  const parsed = URL.parse(filled);
  const meant = URL.parse(fill(url, {}, () => 'x'));
  if (parsed === null || meant === null || parsed.origin !== meant.origin) return undefined;
  const parts = ({ pathname }: URL): string[] => pathname.split('/');
  const isSame = parts(parsed).length === parts(meant).length;
  const hasEmpty = parts(parsed).some((part, at) => part === '' && parts(meant)[at] !== '');
  return isSame && !hasEmpty ? parsed.href : undefined;
}

/** A string that is only a placeholder becomes a number if its value is entered as one. */
function fillValue(value: unknown, values: Values, numbers: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    const [only] = placeholdersIn(value);
    const isAlone = only !== undefined && value.trim().replace(PLACEHOLDER, '') === '';
    const filled = fill(value, values, (text) => text);
    return isAlone && numbers.has(only) && filled !== '' ? Number(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((one) => fillValue(one, values, numbers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, fillValue(one, values, numbers)]),
  );
}

/** The body with its values inserted into parsed strings, so that none can change the JSON around it. */
export const fillJson = (body: string, values: Values, numbers: ReadonlySet<string>): string =>
  JSON.stringify(fillValue(JSON.parse(body), values, numbers));
