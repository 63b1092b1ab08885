/** Turns values of any size into probabilities that add up to 1. */
export function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const all = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / all);
}
