import { applyDense, applyNorm, type Dense, denseOf, type Norm, softmaxInPlace } from './matrix.ts';
import type { Tensors } from './weights.ts';

interface Layer {
  readonly norm: Norm;
  /** Queries, keys and values in one. */
  readonly attend: Dense;
  readonly combine: Dense;
  /** Where the layer's output is larger than its input. */
  readonly widen: Dense | undefined;
  readonly innerNorm: Norm;
  readonly inner: Dense;
  readonly outer: Dense;
}

/** The reference cuts texts here as well. */
const PIECES_MAX = 128;
/** The name of each piece's own vector. */
const PIECES = 'Embeddings_en';
const LAYERS = 2;
const HEADS = 4;

/** The reference's transformer (Universal Sentence Encoder lite): pieces to the vector of their text. */
export class Transformer {
  readonly #pieces: Float32Array;
  readonly #frequencies: Float32Array;
  readonly #layers: readonly Layer[];
  readonly #last: Dense;
  /** Reused by every text, so that none allocates. */
  readonly #room: Room;

  constructor(tensors: Tensors) {
    const tensor = (name: string): Float32Array => {
      const found = tensors.get(name);
      if (found === undefined) throw new Error(`the model has no ${name}`);
      return found;
    };
    const room = new Float32Array(
      Math.max(...[...tensors].filter(([name]) => name !== PIECES).map(([, { length }]) => length)),
    );
    this.#pieces = tensor(PIECES);
    this.#frequencies = tensor('Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1');
    this.#layers = Array.from({ length: LAYERS }, (_, at) => layerOf(tensors, tensor, at, room));
    this.#last = denseOf(
      tensor('hidden_layers/tanh_layer_0/weights'),
      tensor('hidden_layers/tanh_layer_0/bias'),
      room,
    );
    const layers = this.#layers;
    this.#room = new Room(
      Math.max(...layers.flatMap(({ attend, combine }) => [attend.inputs, combine.outputs])),
      Math.max(...layers.flatMap(({ attend, inner }) => [attend.outputs, inner.outputs])),
    );
  }

  /** A vector of length 1; all zero without pieces. */
  vectorOf(pieces: readonly number[]): Float32Array {
    const rows = Math.min(pieces.length, PIECES_MAX);
    this.#takeIn(pieces, rows);
    for (const layer of this.#layers) this.#apply(layer, rows);
    return this.#pooled(rows);
  }

  /** Each piece's own vector, with a signal of its position. The reference adds the vector twice. */
  #takeIn(pieces: readonly number[], rows: number): void {
    const { state } = this.#room;
    const half = this.#frequencies.length;
    const size = 2 * half;
    for (let row = 0; row < rows; row += 1) {
      const from = (pieces[row] as number) * size;
      for (let at = 0; at < half; at += 1) {
        const angle = row * (this.#frequencies[at] as number);
        state[row * size + at] = 2 * (this.#pieces[from + at] as number) + Math.sin(angle);
        state[row * size + half + at] = 2 * (this.#pieces[from + half + at] as number) + Math.cos(angle);
      }
    }
  }

  #apply(layer: Layer, rows: number): void {
    const { state, normal, wide, narrow } = this.#room;
    applyNorm(layer.norm, state, normal, rows);
    applyDense(layer.attend, normal, wide, rows);
    this.#attend(layer.attend.outputs / 3, rows);
    applyDense(layer.combine, normal, narrow, rows);
    if (layer.widen !== undefined) {
      applyDense(layer.widen, state, normal, rows);
      state.set(normal.subarray(0, rows * layer.widen.outputs));
    }
    addTo(state, narrow, rows * layer.combine.outputs);
    applyNorm(layer.innerNorm, state, normal, rows);
    applyDense(layer.inner, normal, wide, rows);
    for (let at = 0; at < rows * layer.inner.outputs; at += 1) wide[at] = Math.max(0, wide[at] as number);
    applyDense(layer.outer, wide, narrow, rows);
    addTo(state, narrow, rows * layer.outer.outputs);
  }

  /** Reads queries, keys and values from `wide`, and writes what each row attends to into `normal`. */
  #attend(size: number, rows: number): void {
    const { wide, normal, shares } = this.#room;
    const part = size / HEADS;
    const scale = 1 / Math.sqrt(part);
    normal.fill(0, 0, rows * size);
    for (let row = 0; row < rows; row += 1) {
      for (let from = 0; from < size; from += part) {
        for (let other = 0; other < rows; other += 1) {
          const query = row * 3 * size + from;
          const key = other * 3 * size + size + from;
          let sum = 0;
          for (let at = 0; at < part; at += 1)
            sum += (wide[query + at] as number) * (wide[key + at] as number);
          shares[other] = sum * scale;
        }
        softmaxInPlace(shares, 0, rows);
        const to = row * size + from;
        for (let other = 0; other < rows; other += 1) {
          const share = shares[other] as number;
          const value = other * 3 * size + 2 * size + from;
          for (let at = 0; at < part; at += 1)
            normal[to + at] = (normal[to + at] as number) + share * (wide[value + at] as number);
        }
      }
    }
  }

  #pooled(rows: number): Float32Array {
    const { state, normal, narrow } = this.#room;
    const { inputs, outputs } = this.#last;
    const vector = new Float32Array(outputs);
    if (rows === 0) return vector;
    normal.fill(0, 0, inputs);
    for (let at = 0; at < rows * inputs; at += 1)
      normal[at % inputs] = (normal[at % inputs] as number) + (state[at] as number) / rows;
    applyDense(this.#last, normal, narrow, 1);
    let squares = 0;
    for (let at = 0; at < outputs; at += 1) {
      const value = Math.tanh(narrow[at] as number);
      vector[at] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let at = 0; at < outputs; at += 1) vector[at] = (vector[at] as number) / length;
    return vector;
  }
}

class Room {
  readonly state: Float64Array;
  readonly normal: Float64Array;
  readonly narrow: Float64Array;
  readonly wide: Float64Array;
  readonly shares = new Float64Array(PIECES_MAX);

  constructor(narrow: number, wide: number) {
    this.state = new Float64Array(PIECES_MAX * narrow);
    this.normal = new Float64Array(PIECES_MAX * narrow);
    this.narrow = new Float64Array(PIECES_MAX * narrow);
    this.wide = new Float64Array(PIECES_MAX * wide);
  }
}

function layerOf(
  tensors: Tensors,
  tensor: (name: string) => Float32Array,
  at: number,
  room: Float32Array,
): Layer {
  const dense = (weights: string, bias: string): Dense =>
    denseOf(tensor(`Layer_${at}/${weights}`), tensor(`Layer_${at}/${bias}`), room);
  const norm = (name: string): Norm => ({
    scale: tensor(`Layer_${at}/${name}layer_prepostprocess/layer_norm/layer_norm_scale`),
    bias: tensor(`Layer_${at}/${name}layer_prepostprocess/layer_norm/layer_norm_bias`),
  });
  return {
    norm: norm(''),
    attend: dense(
      'MultiheadAttention/qkv_transform_single/kernel/part_0',
      'MultiheadAttention/qkv_transform_single/bias',
    ),
    combine: dense(
      'MultiheadAttention/output_transform_single/kernel/part_0',
      'MultiheadAttention/output_transform_single/bias',
    ),
    widen: tensors.has(`Layer_${at}/dense/kernel`) ? dense('dense/kernel', 'dense/bias') : undefined,
    innerNorm: norm('FFN/'),
    inner: dense('FFN/conv1/Tensordot/Reshape_1', 'FFN/conv1/bias'),
    outer: dense('FFN/conv2/Tensordot/Reshape_1', 'FFN/conv2/bias'),
  };
}

function addTo(to: Float64Array, more: Float64Array, count: number): void {
  for (let at = 0; at < count; at += 1) to[at] = (to[at] as number) + (more[at] as number);
}
