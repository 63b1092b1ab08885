import type { Gaps } from './phrases.ts';

/** English sentences of the server by meaning, with placeholders such as `{name}`. */
type Sentences = Readonly<Record<string, string>>;
type GapOf<T extends Sentences> = Gaps<T[keyof T]>;

/** The meaning of a sentence. */
export interface Said<Reason extends string> {
  reason: Reason;
  values: Readonly<Record<string, string>>;
}

const GAP = /\{(\w+)\}/;

/** The sentence with its placeholders filled. */
export const sentenceWith = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replace(new RegExp(GAP, 'g'), (gap, name: string) => String(values[name] ?? gap));

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Recognises sentences of a table, so that the desk can translate them. Stored sentences keep their wording, so a
 * changed sentence counts as a new one.
 * @param filled what each placeholder may contain, as the source of a regular expression without groups
 * @returns a function that returns the meaning of a text; undefined for any other
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
