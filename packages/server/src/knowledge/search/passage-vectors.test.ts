import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ground, openGround } from '../../../test/ground.ts';
import { silentLog } from '../../../test/harness.ts';
import { type ModelStub, startModelStub } from '../../../test/model-stub.ts';
import { createEmbeddingModel } from '../../ai/embedding-model.ts';
import { readAiSettings } from '../../ai/settings.ts';
import { createArticle } from '../articles/articles.ts';
import { createPassageVectors, fusedByRank, type PassageVectors } from './passage-vectors.ts';
import { splitArticle } from './passages.ts';

let ground: Ground;
let stub: ModelStub;
beforeAll(async () => {
  [ground, stub] = await Promise.all([openGround(), startModelStub()]);
});
afterAll(async () => {
  await ground.close();
  await stub.close();
});

function vectorsOf(baseUrl: string): PassageVectors {
  const model = createEmbeddingModel(
    readAiSettings({ FOYER_AI_BASE_URL: baseUrl, FOYER_AI_EMBEDDING_MODEL: 'letters' }),
  );
  if (model === undefined) throw new Error('a model is named, so there is one');
  return createPassageVectors({ db: ground.db, log: silentLog, model });
}

test('passages are found by meaning, from vectors that another process finds in the database', async () => {
  const ctx = await ground.makeSite();
  await createArticle(ctx, { title: 'Moth', body: 'Zzyzx zzyzx zzyzx.', status: 'Published' });
  await createArticle(ctx, { title: 'Wool', body: 'Laundry hints for blankets.', status: 'Published' });
  const index = await ctx.services.indexes.indexOf(ctx.site.id);
  const nearestTo = async (among: PassageVectors, question: string) =>
    (await among.nearest(ctx.site.id, question, 2)).map(({ title }) => title);
  const first = vectorsOf(stub.url);
  first.follow(ctx.site.id, index);
  await expect.poll(() => nearestTo(first, 'laundryhint')).toEqual(['Wool', 'Moth']);
  const rows = ground.db.selectFrom('passage_vectors').selectAll().where('site_id', '=', ctx.site.id);
  await expect.poll(() => rows.execute()).toHaveLength(2);
  expect(await nearestTo(vectorsOf(stub.url), 'laundryhint')).toEqual([]);
});

test('if the provider is unreachable, passages are found by their words', async () => {
  const ctx = await ground.makeSite();
  await createArticle(ctx, { title: 'Moth', body: 'Moths eat wool.', status: 'Published' });
  const away = vectorsOf('http://127.0.0.1:1/v1');
  away.follow(ctx.site.id, await ctx.services.indexes.indexOf(ctx.site.id));
  expect(await away.nearest(ctx.site.id, 'moth', 3)).toEqual([]);
});

test('two rankings are fused by reciprocal rank', () => {
  const [a, b, c] = ['a', 'b', 'c'].flatMap((title, id) => splitArticle({ id, title, body: title }));
  if (!a || !b || !c) throw new Error('an article has a passage');
  expect(
    fusedByRank([
      [a, b],
      [b, c],
    ]),
  ).toEqual([b, a, c]);
});
