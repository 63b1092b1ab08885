import { expect, test } from 'vitest';
import { splitArticle } from './passages.ts';
import { buildIndex } from './search-index.ts';

function firstOf(articles: Readonly<Record<string, string>>, question: string): string | undefined {
  const index = buildIndex(
    Object.entries(articles).flatMap(([title, body], id) => splitArticle({ id, title, body })),
  );
  const [hit] = index.search(question, 1);
  return hit !== undefined && hit.coverage > 0 ? hit.passage.title : undefined;
}

const ENGLISH = {
  Presents: 'A gift card is valid for three years. It comes by e-mail.',
  Lighting: 'The lamp needs a bulb. Its light is warm. The backpack is in the cupboard.',
  Abroad: 'International parcels are sent by ships.',
};
const GERMAN = {
  Gutscheine: 'Ein Geschenkgutschein ist drei Jahre gültig.',
  Pflege: 'Die Spülmaschine macht die Klinge stumpf.',
};

test.each([
  ['giftcards', 'Presents'],
  ['which lightbulb', 'Lighting'],
  ['back pack', 'Lighting'],
])('%s: found in the articles’ spelling', (question, title) => {
  expect(firstOf(ENGLISH, question)).toBe(title);
});

test('a prefix that is no word of the articles is no part of a compound', () => {
  expect(firstOf(ENGLISH, 'internships')).toBeUndefined();
});

test.each([
  ['gutschein', 'Gutscheine'],
  ['geschirrspülmaschine', 'Pflege'],
])('%s: a compound is found by its head', (question, title) => {
  expect(firstOf(GERMAN, question)).toBe(title);
});
