/** A dense layer: by output, its weights for each input, so that both are read in order. */
export interface Dense {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/**
 * @param weights by input, then by output; transposed in place
 * @param room for a copy of the weights: with a new one for each layer, twice the memory would be used
 */
export function denseOf(weights: Float32Array, bias: Float32Array, room: Float32Array): Dense {
  const outputs = bias.length;
  const inputs = weights.length / outputs;
  room.set(weights);
  for (let output = 0; output < outputs; output += 1) {
    for (let input = 0; input < inputs; input += 1)
      weights[output * inputs + input] = room[input * outputs + output] as number;
  }
  return { inputs, outputs, weights, bias };
}

/**
 * Applies a layer to each row of `from`. Two rows and two outputs at a time: each number that was read is used twice,
 * which halves the time.
 */
export function applyDense(
  { inputs, outputs, weights, bias }: Dense,
  from: Float64Array,
  to: Float64Array,
  rows: number,
): void {
  for (let output = 0; output < outputs; output += 2) {
    const w0 = output * inputs;
    const w1 = (output + 1 < outputs ? output + 1 : output) * inputs;
    for (let row = 0; row < rows; row += 2) {
      const x0 = row * inputs;
      const x1 = (row + 1 < rows ? row + 1 : row) * inputs;
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let at = 0; at < inputs; at += 1) {
        const first = weights[w0 + at] as number;
        const second = weights[w1 + at] as number;
        const one = from[x0 + at] as number;
        const other = from[x1 + at] as number;
        a += first * one;
        b += second * one;
        c += first * other;
        d += second * other;
      }
      const y0 = row * outputs + output;
      to[y0] = a + (bias[output] as number);
      if (output + 1 < outputs) to[y0 + 1] = b + (bias[output + 1] as number);
      if (row + 1 >= rows) continue;
      to[y0 + outputs] = c + (bias[output] as number);
      if (output + 1 < outputs) to[y0 + outputs + 1] = d + (bias[output + 1] as number);
    }
  }
}

/** The scale and shift that follow the normalisation of a row. */
export interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

const SMALLEST_VARIANCE = 1e-6;

/** Gives each row the mean 0 and the variance 1, then scales and shifts it. */
export function applyNorm({ scale, bias }: Norm, from: Float64Array, to: Float64Array, rows: number): void {
  const size = scale.length;
  for (let start = 0; start < rows * size; start += size) {
    let sum = 0;
    for (let at = 0; at < size; at += 1) sum += from[start + at] as number;
    const mean = sum / size;
    let squares = 0;
    for (let at = 0; at < size; at += 1) squares += ((from[start + at] as number) - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / size + SMALLEST_VARIANCE);
    for (let at = 0; at < size; at += 1)
      to[start + at] =
        ((from[start + at] as number) - mean) * factor * (scale[at] as number) + (bias[at] as number);
  }
}

/** Replaces `count` numbers from `start` on by their softmax. */
export function softmaxInPlace(values: Float64Array, start: number, count: number): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let at = start; at < start + count; at += 1) most = Math.max(most, values[at] as number);
  let sum = 0;
  for (let at = start; at < start + count; at += 1) {
    const value = Math.exp((values[at] as number) - most);
    values[at] = value;
    sum += value;
  }
  for (let at = start; at < start + count; at += 1) values[at] = (values[at] as number) / sum;
}
