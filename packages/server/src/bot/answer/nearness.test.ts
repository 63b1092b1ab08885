import { expect, test } from 'vitest';
import { testServices } from '../../../test/harness.ts';
import { type Passage, splitArticle } from '../../knowledge/search/passages.ts';
import { buildIndex } from '../../knowledge/search/search-index.ts';
import type { Near, PassageVectors } from '../../knowledge/search/vectors/passage-vectors.ts';
import { lookUpAnswer, textsCompared } from './answer.ts';
import { candidatesOf } from './likelihood.ts';
import { lookupOf } from './site-answers.ts';

const BODIES = [
  'Lamps have a warranty of three years.\n\n## Shades\n\nShades have a warranty of one year.',
  'Parcels arrive within two days.',
  'We open at nine and close at six.',
  'Gift cards are valid for three years.',
  'You can pay by card or by invoice.',
  'Our workshop repairs chairs and tables.',
  'We plant a tree for each order.',
  'Students get a discount of ten per cent.',
];
const passagesOf = (bodies: readonly string[]): Passage[] =>
  bodies.flatMap((body, at) => splitArticle({ id: at + 1, title: `Article ${at + 1}`, body }));
const passages = passagesOf(BODIES);
const index = buildIndex(passages);

/** What the encoder would find: these passages, and how near they are. */
const near = (...found: readonly (readonly [place: number, nearness: number])[]): Near => {
  const entries = found.flatMap(([place, nearness]) => {
    const passage = passages[place];
    return passage ? [[passage, nearness] as const] : [];
  });
  return { passages: entries.map(([passage]) => passage), nearness: new Map(entries) };
};
/** The articles that were compared, and their probabilities. */
const compared = (question: string, found?: Near): Map<number, number> =>
  new Map(
    lookUpAnswer(index, question, { near: () => found }).candidates.map(({ hit, probability }) => [
      hit.passage.articleId,
      probability,
    ]),
  );

test('an article that shares no word with the question is found if it is near in meaning', () => {
  const question = 'umbrella';
  expect(compared(question).has(2)).toBe(false);
  expect(compared(question, near([2, 0.7])).get(2)).toBeGreaterThan(0);
});

test('of an article that shares no word, the nearest section answers', () => {
  const [candidate] = lookUpAnswer(index, 'broken umbrella', { near: () => near([1, 0.7]) }).candidates;
  expect(candidate?.hit.passage.headings).toEqual(['Shades']);
});

test('nearness makes an article likelier, apart from its place among the hits', () => {
  const hits = index.search('warranty of lamps', 1, near([0, 0.5]).nearness);
  const [far = 1, close = 0] = [0.1, 0.6].flatMap((nearness) =>
    candidatesOf(hits.map((hit) => ({ ...hit, nearness }))).map(({ probability }) => probability),
  );
  expect(close).toBeGreaterThan(far);
});

test('among too few articles to learn from, only words count', () => {
  const few = buildIndex(passagesOf(BODIES.slice(0, 4)));
  const found = (near: Near | undefined) =>
    lookUpAnswer(few, 'warranty of lamps', { near: () => near }).candidates;
  const [hit] = found(near([2, 0.9]));
  expect(hit?.hit.nearness).toBeUndefined();
  expect(found(near([2, 0.9])).map(({ probability }) => probability)).toEqual(
    found(undefined).map(({ probability }) => probability),
  );
});

test('each text that is compared for a message is among those that are encoded for it', () => {
  const message = 'Hello! My lamp broke. I like it. Is there a warranty? And when do you open?';
  const asked = new Set<string>();
  lookUpAnswer(index, message, {
    previousQuestion: 'do you sell lamps',
    near: (text) => {
      asked.add(text);
      return undefined;
    },
  });
  expect(asked.size).toBeGreaterThan(3);
  const encoded = textsCompared(message, 'do you sell lamps');
  for (const text of asked) expect(encoded).toContain(text);
});

test.each([
  [true, 3],
  [false, 1],
])('if the model is local (%s), it reads %i texts of a double question', async (isLocal, texts) => {
  const read: string[] = [];
  const vectors: PassageVectors = {
    isLocal,
    follow: () => undefined,
    nearest: async (_site, text) => {
      read.push(text);
      return { passages: [], nearness: undefined };
    },
  };
  const services = testServices({ vectors, indexes: { indexOf: async () => index } });
  const lookUp = await lookupOf({ services, site: { id: 1, plan: 'growth' } });
  await lookUp('how long is the warranty of lamps, and when do you open');
  expect(read).toHaveLength(texts);
});
