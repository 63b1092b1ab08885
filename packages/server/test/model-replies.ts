import type { Asked, Behaviour } from './model-stub.ts';

/** The number of the passage that has these words, as a model would cite it. */
export function placeOf(asked: Asked, words: string): number {
  const text = askedText(asked);
  const at = text.indexOf(words);
  const place = [...text.slice(0, Math.max(0, at)).matchAll(/^\[(\d+)\] /gm)].at(-1)?.[1];
  if (place === undefined) throw new Error(`no passage has “${words}”`);
  return Number(place);
}

/** What of a request is text, whether the provider takes it whole or in parts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { text: string }[]).map(({ text }) => text).join('\n\n');

/** Everything that a model was asked, without its instructions. */
export const askedText = ({ messages }: Asked): string =>
  messages
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => textOf(content))
    .join('\n');

export const TOKENS = { input: 120, output: 30 };

/** Answers with a quote of these words. */
export const answers =
  (words: string, ...pieces: string[]) =>
  (asked: Asked): Behaviour => ({
    kind: 'writes',
    pieces: [`ANSWER\nQUOTE ${placeOf(asked, words)}: ${words}\n\n`, ...pieces],
    tokens: TOKENS,
  });

/** Replies as it stands. */
export const says = (...pieces: string[]): Behaviour => ({ kind: 'writes', pieces, tokens: TOKENS });
