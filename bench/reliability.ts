/** How well probabilities are calibrated: by bins, as a picture, and after a correction per site. */
import { randomFrom } from './retrieval-sets.ts';

/** A question under weights fitted without its group: the best article's probability, and whether it is right. */
export interface Judged {
  readonly group: string;
  readonly likely: number;
  readonly right: boolean;
}

/** The questions whose best article is about this likely. */
export interface Bin {
  /** The mean prediction, and the share that is right. */
  readonly said: number;
  readonly right: number;
  readonly count: number;
}

const BINS = 10;
/** Half the width of a 95 % interval, in standard errors. */
const SURE = 1.96;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Bins of equal width that have questions, from unlikely to likely. */
export function binsOf(judged: readonly Judged[]): Bin[] {
  return Array.from({ length: BINS }, (_, bin) =>
    judged.filter(({ likely }) => Math.min(BINS - 1, Math.floor(likely * BINS)) === bin),
  )
    .filter((inside) => inside.length > 0)
    .map((inside) => ({
      said: mean(inside.map(({ likely }) => likely)),
      right: mean(inside.map(({ right }) => Number(right))),
      count: inside.length,
    }));
}

/** Mean distance between predictions and outcomes (expected calibration error). */
export function calibrationError(bins: readonly Bin[]): number {
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { said, right, count }) => sum + (count / all) * Math.abs(said - right), 0);
}

/** Wilson's interval for a share. */
function intervalOf({ right, count }: Bin): [number, number] {
  const square = SURE ** 2 / count;
  const middle = (right + square / 2) / (1 + square);
  const half = (SURE / (1 + square)) * Math.sqrt((right * (1 - right)) / count + square / (4 * count));
  return [middle - half, middle + half];
}

const SIDE = 320;
const LEFT = 48;
const TOP = 16;
const GAP = 64;

const across = (value: number): string => (LEFT + value * SIDE).toFixed(1);
const down = (value: number): string => (TOP + (1 - value) * SIDE).toFixed(1);

function panelOf(title: string, bins: readonly Bin[], at: number): string {
  const grid = [0, 0.25, 0.5, 0.75, 1].map((value) => {
    const name = `${Math.round(value * 100)} %`;
    return `<path class="grid" d="M${across(0)} ${down(value)}H${across(1)}M${across(value)} ${down(0)}V${down(1)}"/><text x="${LEFT - 8}" y="${down(value - 0.012)}" text-anchor="end">${name}</text><text x="${across(value)}" y="${TOP + SIDE + 18}" text-anchor="middle">${name}</text>`;
  });
  const spans = bins.map((bin) => {
    const [low, high] = intervalOf(bin);
    return `<path class="span" d="M${across(bin.said)} ${down(low)}V${down(high)}"/>`;
  });
  const points = bins.map(
    ({ said, right, count }) =>
      `<circle cx="${across(said)}" cy="${down(right)}" r="4"><title>said ${said.toFixed(2)}, right ${right.toFixed(2)}, ${count} questions</title></circle>`,
  );
  const line = bins.map(({ said, right }) => `${across(said)} ${down(right)}`).join('L');
  return `<g transform="translate(${at * (SIDE + GAP)} 0)">${grid.join('')}<path class="ideal" d="M${across(0)} ${down(0)}L${across(1)} ${down(1)}"/>${spans.join('')}<path class="line" d="M${line}"/>${points.join('')}<text x="${across(0.5)}" y="${TOP + SIDE + 40}" text-anchor="middle">${title}</text></g>`;
}

/** Reliability curves side by side; readable on light and dark pages. */
export function curvesSvg(panels: readonly { title: string; bins: readonly Bin[] }[]): string {
  const width = panels.length * (SIDE + GAP) - GAP + LEFT + 24;
  const height = TOP + SIDE + 52;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Share of answers that are right, by how likely the bot said they are">
<style>text{font:12px system-ui,sans-serif;fill:#4b5563}.grid{stroke:#e5e7eb;fill:none}.ideal{stroke:#9ca3af;stroke-dasharray:4 4;fill:none}.span{stroke:#0f766e;stroke-opacity:.4;stroke-width:2;fill:none}.line{stroke:#0f766e;stroke-width:2;fill:none}circle{fill:#0f766e}</style>
<rect width="100%" height="100%" fill="#fff"/>
${panels.map(({ title, bins }, at) => panelOf(title, bins, at)).join('\n')}
</svg>
`;
}

const logit = (value: number): number => Math.log(value / (1 - value));
const likelyOf = (value: number): number => 1 / (1 + Math.exp(-value));
const within = (value: number): number => Math.min(0.999, Math.max(0.001, value));

/** Prior variances of a correction's slope around 1 and shift around 0. */
const PRIOR = { slope: 0.1, shift: 0.5 } as const;
const FIT_ROUNDS = 200;
const FIT_STEP = 0.5;

/** Platt scaling towards no change: the likeliest slope (never below zero) and shift of the log odds. */
function correctionOf(judged: readonly Judged[]): (likely: number) => number {
  let slope = 1;
  let shift = 0;
  const points = judged.map(({ likely, right }) => ({ odds: logit(within(likely)), right: Number(right) }));
  for (let round = 0; round < FIT_ROUNDS; round += 1) {
    let [bySlope, byShift] = [(1 - slope) / PRIOR.slope, -shift / PRIOR.shift];
    let [curveSlope, curveShift] = [1 / PRIOR.slope, 1 / PRIOR.shift];
    for (const { odds, right } of points) {
      const likely = likelyOf(slope * odds + shift);
      bySlope += (right - likely) * odds;
      byShift += right - likely;
      curveSlope += likely * (1 - likely) * odds * odds;
      curveShift += likely * (1 - likely);
    }
    slope = Math.max(0, slope + (FIT_STEP * bySlope) / curveSlope);
    shift += (FIT_STEP * byShift) / curveShift;
  }
  return (likely) => likelyOf(slope * logit(within(likely)) + shift);
}

const lossOf = (likely: number, right: boolean): number =>
  -Math.log(right ? within(likely) : 1 - within(likely));

const SPLITS = 40;

/**
 * The effect of a correction per site if `known` of its questions were judged without a mistake: the loss (nats) on its
 * other questions before and after, and the share of them that it moves across the threshold, in either direction.
 */
export function correctedBySite(judged: readonly Judged[], known: number, threshold: number) {
  const sites = Map.groupBy(judged, ({ group }) => group);
  const random = randomFrom(17);
  const losses: [before: number, after: number][] = [];
  let moved = 0;
  for (const rows of sites.values()) {
    if (rows.length < known * 1.5) continue;
    for (let split = 0; split < SPLITS; split += 1) {
      const mixed = rows.map((row) => ({ row, place: random() })).toSorted((a, b) => a.place - b.place);
      const correct = correctionOf(mixed.slice(0, known).map(({ row }) => row));
      for (const { row } of mixed.slice(known)) {
        const after = correct(row.likely);
        losses.push([lossOf(row.likely, row.right), lossOf(after, row.right)]);
        if (after >= threshold !== row.likely >= threshold) moved += 1;
      }
    }
  }
  return {
    before: mean(losses.map(([before]) => before)),
    after: mean(losses.map(([, after]) => after)),
    moved: moved / Math.max(1, losses.length),
  };
}
