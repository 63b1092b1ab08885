import { expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { createArticle } from '../articles/articles.ts';
import { getSynonyms, updateSynonyms } from './site-synonyms.ts';

const ground = useGround();

test('words that mean the same to customers are found by each other, as soon as they are defined', async () => {
  const ctx = await ground.makeSite();
  const find = async (question: string): Promise<string[]> =>
    (await ctx.services.indexes.indexOf(ctx.site.id)).search(question, 3).map(({ passage }) => passage.title);
  await createArticle(ctx, { title: 'Settee covers', body: 'Our covers are washable.', status: 'Published' });
  await createArticle(ctx, { title: 'Lamps', body: 'Our lamps are bright.', status: 'Published' });
  expect(await find('chesterfield')).toEqual([]);
  expect(await find('long couch')).toEqual([]);
  await updateSynonyms(ctx, { groups: [['chesterfield', 'long couch', 'settees']] });
  expect(await find('chesterfield')).toEqual(['Settee covers']);
  expect(await find('can I wash a long couch')).toContain('Settee covers');
  expect(await getSynonyms(ctx)).toEqual({ groups: [['chesterfield', 'long couch', 'settees']] });
  await updateSynonyms(ctx, { groups: [] });
  expect(await find('chesterfield')).toEqual([]);
});

test('another site’s words are its own', async () => {
  const [ctx, other] = [await ground.makeSite(), await ground.makeSite()];
  await updateSynonyms(other, { groups: [['chesterfield', 'settee']] });
  await createArticle(ctx, { title: 'Settee covers', body: 'Our covers are washable.', status: 'Published' });
  expect((await ctx.services.indexes.indexOf(ctx.site.id)).search('chesterfield', 1)).toEqual([]);
});
