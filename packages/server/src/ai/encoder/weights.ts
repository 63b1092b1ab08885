import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The part of TensorFlow.js's `model.json` that is used: the tensors follow one another in the shards, which are cut
 * anywhere. Not checked by a schema, which would cost the thread more memory than the vocabulary.
 */
interface ModelFile {
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly dtype: string;
    }[];
  }[];
}

/** The weights of a model by their names, without what many names have in common. */
export type Tensors = ReadonlyMap<string, Float32Array>;

/** Each number of a tensor, whole ones too. */
const NUMBER_BYTES = 4;
const COMMON_PARTS =
  /^module(?:_apply_default)?\/|Encoder_en\/|KonaTransformer\/|Encode\/|TransformerStack\/|TransformerLayer\/|\/ConcatPartitions\/concat$/g;

/**
 * Reads the weights into one buffer, so that loading takes little more memory than they do.
 * @param folder that of `model.json` and its shards
 * @throws if a file is missing, or if the shards don't have the size that `model.json` gives
 */
export async function readTensors(folder: string): Promise<Tensors> {
  const { weightsManifest }: ModelFile = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8'));
  const sized = weightsManifest.flatMap(({ weights }) =>
    weights.map((weight) => ({ ...weight, size: weight.shape.reduce((product, size) => product * size, 1) })),
  );
  const bytes = new Uint8Array(sized.reduce((sum, { size }) => sum + size, 0) * NUMBER_BYTES);
  let filled = 0;
  for (const path of weightsManifest.flatMap(({ paths }) => paths))
    filled += await readInto(join(folder, path), bytes.subarray(filled));
  if (filled !== bytes.length) throw new Error(`the shards have ${filled} bytes, not ${bytes.length}`);
  const tensors = new Map<string, Float32Array>();
  let at = 0;
  for (const { name, size, dtype } of sized) {
    if (dtype === 'float32')
      tensors.set(name.replaceAll(COMMON_PARTS, ''), new Float32Array(bytes.buffer, at, size));
    at += size * NUMBER_BYTES;
  }
  return tensors;
}

/** @returns the size of the file, which was read as far as it fits */
async function readInto(path: string, bytes: Uint8Array): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const wanted = Math.min(size, bytes.length);
    for (let at = 0; at < wanted; ) {
      const { bytesRead } = await file.read(bytes, at, wanted - at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return size;
  } finally {
    await file.close();
  }
}
