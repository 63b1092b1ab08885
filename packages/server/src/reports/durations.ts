/** Lengths of time are counted in steps, eight to a doubling. So a median is right to within 9 %. */
const STEPS_A_DOUBLING = 8;
/** Four years; whatever is longer counts as that. */
const STEP_MAX = 27 * STEPS_A_DOUBLING;

/** The step that so many seconds fall into; less than a second counts as one. */
export const stepOf = (seconds: number): number =>
  Math.min(STEP_MAX, Math.floor(Math.log2(Math.max(1, seconds)) * STEPS_A_DOUBLING));

/** The least seconds that fall into a step. */
export const lowerEdge = (step: number): number => 2 ** (step / STEPS_A_DOUBLING);

/** How many lengths fell into each step. */
interface StepCount {
  readonly step: number;
  readonly count: number;
}

/** The whole seconds that a share `q` (0 to 1) of the lengths are not longer than; null where there are none. */
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
