import type { Gaps } from './phrases.ts';

/** Sentences of the server by what they say, in English, with gaps such as `{name}`. */
type Sentences = Readonly<Record<string, string>>;
type GapOf<T extends Sentences> = Gaps<T[keyof T]>;

/** What a sentence says. */
export interface Said<Reason extends string> {
  reason: Reason;
  values: Readonly<Record<string, string>>;
}

const GAP = /\{(\w+)\}/;

/** The sentence with its gaps filled. */
export const sentenceWith = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replace(new RegExp(GAP, 'g'), (gap, name: string) => String(values[name] ?? gap));

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Reads the sentences of a table back, so that a desk can say them in its agent's language. What was said once is
 * stored: a sentence that changes is a new one.
 * @param filled what can stand in each gap, as the source of a regular expression without groups
 * @returns what a text says; nothing for one that is none of them
 */
export function readerOf<T extends Sentences>(sentences: T, filled: Readonly<Record<GapOf<T>, string>>) {
  const inGap: Readonly<Record<string, string>> = filled;
  const patterns = Object.entries(sentences).map(([reason, sentence]) => {
    const pieces = sentence.split(GAP);
    const source = pieces.map((piece, at) =>
      at % 2 === 0 ? literally(piece) : `(?<${piece}>${inGap[piece] ?? ''})`,
    );
    return { reason: reason as keyof T & string, pattern: new RegExp(`^${source.join('')}$`, 's') };
  });
  return (text: string): Said<keyof T & string> | undefined => {
    for (const { reason, pattern } of patterns) {
      const found = pattern.exec(text);
      if (found) return { reason, values: { ...found.groups } };
    }
    return undefined;
  };
}
