import type { Asked, Behaviour } from './model-stub.ts';

/** The number of the passage that has these words, as a model would cite it. */
export function placeOf(asked: Asked, words: string): number {
  const text = askedText(asked);
  const at = text.indexOf(words);
  const place = [...text.slice(0, Math.max(0, at)).matchAll(/^\[(\d+)\] /gm)].at(-1)?.[1];
  if (place === undefined) throw new Error(`no passage has “${words}”`);
  return Number(place);
}

/** The text of a request, whether the provider's format has it as a string or in parts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { text: string }[]).map(({ text }) => text).join('\n\n');

/** The complete prompt of a model, without its instructions. */
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

/** Replies with this text. */
export const says = (...pieces: string[]): Behaviour => ({ kind: 'writes', pieces, tokens: TOKENS });
