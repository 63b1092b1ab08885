/** About 15,000 tokens. Common clients accept 25,000 per result. */
export const RESULT_MAX_CHARS = 60_000;

/** Tried in turn until a result fits: the length of each text, and the number of entries of each list. */
const STEPS = [
  { chars: 20_000, entries: 200 },
  { chars: 4_000, entries: 100 },
  { chars: 2_000, entries: 40 },
  { chars: 1_000, entries: 20 },
  { chars: 300, entries: 20 },
  { chars: 100, entries: 10 },
  { chars: 50, entries: 4 },
] as const;
type Step = (typeof STEPS)[number];

/** The notes themselves must not become too long. */
const NOTES_MAX = 20;

/** A list's end matters most, like the latest messages of a chat; its beginning shows the topic. */
const HEAD_SHARE = 0.25;

interface Fitting {
  data: unknown;
  /** The path of each shortened text or list, and how much of it is left. */
  leftOut: string[];
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

function shortenText(text: string, path: string, max: number, leftOut: string[]): string {
  if (text.length <= max) return text;
  leftOut.push(`${path}: only the first ${max} of ${text.length} characters are included`);
  return text.slice(0, max).toWellFormed();
}

function shortenList(list: readonly unknown[], path: string, step: Step, leftOut: string[]): unknown[] {
  const inner = (part: readonly unknown[], from: number): unknown[] =>
    part.map((value, at) => shorten(value, `${path}[${from + at}]`, step, leftOut));
  if (list.length <= step.entries) return inner(list, 0);
  const head = Math.floor(step.entries * HEAD_SHARE);
  const tail = step.entries - head;
  leftOut.push(`${path}: only the first ${head} and the last ${tail} of ${list.length} entries are included`);
  return [...inner(list.slice(0, head), 0), ...inner(list.slice(-tail), head)];
}

function shorten(value: unknown, path: string, step: Step, leftOut: string[]): unknown {
  if (typeof value === 'string') return shortenText(value, path, step.chars, leftOut);
  if (Array.isArray(value)) return shortenList(value, path, step, leftOut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, shorten(part, `${path}.${key}`, step, leftOut)]),
  );
}

/**
 * Shortens a result so that a model can read it. Everything left out is listed, never silently dropped.
 * @returns the same result if it fits
 */
export function fitAnswer(data: unknown): Fitting {
  let fitting: Fitting = { data, leftOut: [] };
  for (const step of STEPS) {
    if (sizeOf(fitting.data) <= RESULT_MAX_CHARS) return fitting;
    const leftOut: string[] = [];
    const shortened = shorten(data, 'data', step, leftOut);
    const more = leftOut.length - NOTES_MAX;
    const notes = more > 0 ? [...leftOut.slice(0, NOTES_MAX), `and ${more} more`] : leftOut;
    fitting = { data: shortened, leftOut: notes };
  }
  return fitting;
}

/**
 * How many of a page's items fit, at least one: the page is read again with that `limit`, so that its cursor
 * continues where the result ends.
 */
export function itemsThatFit(items: readonly unknown[]): number {
  let size = 0;
  const over = items.findIndex((item) => {
    size += sizeOf(item) + 1;
    return size > RESULT_MAX_CHARS;
  });
  return over === -1 ? items.length : Math.max(1, over);
}
