/** Durations are counted in logarithmic steps, eight per doubling, so a median is accurate to 9 %. */
const STEPS_A_DOUBLING = 8;
/** Four years; longer durations count as that. */
const STEP_MAX = 27 * STEPS_A_DOUBLING;

/** The step of a duration in seconds; less than a second counts as one. */
export const stepOf = (seconds: number): number =>
  Math.min(STEP_MAX, Math.floor(Math.log2(Math.max(1, seconds)) * STEPS_A_DOUBLING));

/** The lower edge of a step, in seconds. */
export const lowerEdge = (step: number): number => 2 ** (step / STEPS_A_DOUBLING);

/** The number of durations in each step. */
interface StepCount {
  readonly step: number;
  readonly count: number;
}

/** The quantile `q` (0 to 1) of the durations in whole seconds; null if there are none. */
export function quantileOf(steps: readonly StepCount[], q: number): number | null {
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  let left = q * total;
  const sorted = steps.filter(({ count }) => count > 0).toSorted((a, b) => a.step - b.step);
  for (const { step, count } of sorted) {
    if (left <= count) return Math.round(lowerEdge(step + left / count));
    left -= count;
  }
  return Math.round(lowerEdge((sorted.at(-1)?.step ?? 0) + 1));
}
