import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeEncoderPackage } from '../../../../test/encoder/small-package.ts';
import { type Ground, openGround } from '../../../../test/ground.ts';
import { silentLog } from '../../../../test/harness.ts';
import { type ModelStub, startModelStub } from '../../../../test/model-stub.ts';
import { createEmbeddingModel } from '../../../ai/embedding-model.ts';
import { createEncoder } from '../../../ai/encoder/encoder.ts';
import { readEncoderPackage } from '../../../ai/encoder/encoder-package.ts';
import { readAiSettings } from '../../../ai/settings.ts';
import { createArticle } from '../../articles/articles.ts';
import { splitArticle } from '../passages.ts';
import { createPassageVectors, fusedByRank, type PassageVectors } from './passage-vectors.ts';

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
    (await among.nearest(ctx.site.id, question, 2)).passages.map(({ title }) => title);
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
  expect((await away.nearest(ctx.site.id, 'moth', 3)).passages).toEqual([]);
});

describe('with the encoder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-encoder-'));
    await writeEncoderPackage(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const openVectors = (): PassageVectors => {
    const found = readEncoderPackage({ FOYER_ENCODER: folder });
    if (found === undefined) throw new Error('it is set, so there is one');
    return createPassageVectors({ db: ground.db, log: silentLog, model: createEncoder(found) });
  };
  /** A site with these articles, whose passages are followed. */
  const followed = async (vectors: PassageVectors, bodies: readonly string[]): Promise<number> => {
    const ctx = await ground.makeSite();
    for (const [at, body] of bodies.entries())
      await createArticle(ctx, { title: `Article ${at}`, body, status: 'Published' });
    vectors.follow(ctx.site.id, await ctx.services.indexes.indexOf(ctx.site.id));
    return ctx.site.id;
  };
  const ENGLISH = [
    'You can return an item within 30 days.',
    'The parcel is at your door in two days.',
    'We are open from nine to six on all days.',
  ];

  test('English questions find how near the passages of an English site are', async () => {
    const vectors = openVectors();
    const site = await followed(vectors, ENGLISH);
    const asked = 'Article 1\nThe parcel is at your door in two days.';
    const nearest = () => vectors.nearest(site, asked, 2);
    await expect.poll(async () => (await nearest()).passages.map(({ title }) => title)).toHaveLength(2);
    const { passages, nearness } = await nearest();
    expect(passages[0]?.title).toBe('Article 1');
    const [own = 0] = passages.flatMap((passage) => nearness?.get(passage) ?? []);
    expect(own).toBeGreaterThan(0.2);
    expect(Math.max(...(nearness?.values() ?? []))).toBe(own);
    expect(await vectors.nearest(site, 'wo ist mein Paket', 2)).toEqual({
      passages: [],
      nearness: undefined,
    });
  });

  test('a site with articles in another language is searched by words', async () => {
    const vectors = openVectors();
    const german = ['Du kannst alles in 30 Tagen zurückgeben.', 'Das Paket ist in zwei Tagen an der Tür.'];
    const sites = [await followed(vectors, [...ENGLISH, ...german]), await followed(vectors, ENGLISH)];
    const countOf = async (): Promise<(number | string | bigint)[]> =>
      Promise.all(
        sites.map(async (site) => {
          const { count } = await ground.db
            .selectFrom('passage_vectors')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('site_id', '=', site)
            .executeTakeFirstOrThrow();
          return Number(count);
        }),
      );
    await expect.poll(countOf).toEqual([0, ENGLISH.length]);
    expect((await vectors.nearest(sites[0] ?? 0, 'where is the parcel', 2)).passages).toEqual([]);
  });
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
