import { DAY_S, HOUR_S, MINUTE_S } from '@foyer/protocol/values/durations';

/** More lines would be clutter. */
const STEPS_MAX = 4;
/** Room for a short date and a margin. */
const LABEL_PX = 68;
/** The possible distances between labels, in bars. */
const LABEL_STEPS = [1, 2, 3, 4, 7, 14, 28, 56] as const;
const TIME_STEPS_S = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((number) => number * MINUTE_S),
  ...[1, 2, 3, 6, 12].map((number) => number * HOUR_S),
];

/** From zero to at least `most`, in steps of this size. */
function ticksBy(step: number, most: number): number[] {
  const steps = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** 1, 2 or 5 followed by zeros: the smallest that needs few steps. */
function roundStep(most: number): number {
  for (let ten = 1; ; ten *= 10)
    for (const step of [ten, 2 * ten, 5 * ten]) if (most / step <= STEPS_MAX) return step;
}

/** Round numbers for the axis of a chart whose highest value is `most`. */
export const countTicks = (most: number): number[] => ticksBy(roundStep(most), most);

/** The same for seconds, in the steps of clocks and calendars. */
export function durationTicks(most: number): number[] {
  const step = TIME_STEPS_S.find((one) => most / one <= STEPS_MAX) ?? roundStep(most / DAY_S) * DAY_S;
  return ticksBy(step, most);
}

/** The same for stars, whose axis always shows all five. */
export const ratingTicks = (): number[] => [0, 1, 2, 3, 4, 5];

/** Which of `count` bars have room for a label in a chart of this width. */
export function labelledBars(count: number, widthPx: number): number[] {
  const step = LABEL_STEPS.find((one) => (count / one) * LABEL_PX <= widthPx) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}
