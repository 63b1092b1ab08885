/**
 * A count of this process that only grows, by at most a few labels with few values each: never an id, a name or an
 * address.
 */
export interface Counter {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** @param values one for each label, in their order */
  add(by: number, ...values: string[]): void;
  /** The counts so far, by the values of the labels. */
  counted(): Iterable<readonly [values: readonly string[], count: number]>;
}

const all: Counter[] = [];

/**
 * Declares a counter of the whole process, beside the code that counts. `/metrics` reports every one; docs/operations
 * lists them.
 */
export function createCounter(name: string, help: string, labels: readonly string[] = []): Counter {
  const counts = new Map<string, { values: readonly string[]; count: number }>();
  const counter: Counter = {
    name,
    help,
    labels,
    add(by, ...values) {
      const key = values.length === 1 ? (values[0] ?? '') : values.join('\0');
      const known = counts.get(key);
      if (known) known.count += by;
      else counts.set(key, { values, count: by });
    },
    *counted() {
      if (labels.length === 0 && counts.size === 0) yield [[], 0];
      for (const { values, count } of counts.values()) yield [values, count];
    },
  };
  all.push(counter);
  return counter;
}

/** Every counter of the modules that are loaded. */
export const allCounters = (): readonly Counter[] => all;
