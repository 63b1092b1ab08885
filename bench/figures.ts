/** A line of the table that a run prints. */
export interface Figure {
  what: string;
  ours: string;
  bare: string;
  ratio: string;
  wanted: string;
}

export const NONE = '–';

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`;

export const ms = (value: number): string => `${value.toFixed(1)} ms`;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** @returns the value that this share of them doesn't exceed; 0 of none */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (low + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

interface Compared {
  ours: number;
  bare: number;
  /** The median of each round's ratio, not the ratio of the medians: a slower machine slows both of a round. */
  ratio: number;
  lowest: number;
  highest: number;
}

/**
 * Runs both in turn, alternating which is first in a round, so that other load on the machine affects both equally. The
 * first round is the warm-up and is not counted.
 */
export async function interleave(
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Compared> {
  const seen: { ours: number; bare: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % 2 === 0 ? await bare() : await ours();
    const second = round % 2 === 0 ? await ours() : await bare();
    seen.push(round % 2 === 0 ? { bare: first, ours: second } : { bare: second, ours: first });
  }
  const counted = seen.slice(1);
  const ratios = counted.map((round) => round.ours / round.bare);
  return {
    ours: median(counted.map((round) => round.ours)),
    bare: median(counted.map((round) => round.bare)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** Rates, with the ratio's spread over the rounds. */
export function rateFigure(what: string, seen: Compared, wanted: string): Figure {
  const [ratio, low, high] = [seen.ratio, seen.lowest, seen.highest].map((value) => Math.round(value * 100));
  return {
    what,
    ours: perSecond(seen.ours),
    bare: perSecond(seen.bare),
    ratio: `${ratio} % (${low}–${high})`,
    wanted,
  };
}

export function printTable(figures: readonly Figure[]): void {
  const rows = [{ what: 'what', ours: 'ours', bare: 'bare', ratio: 'ratio', wanted: 'wanted' }, ...figures];
  const columns = ['what', 'ours', 'bare', 'ratio', 'wanted'] as const;
  const widths = columns.map((column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      columns
        .map((column, at) => row[column].padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    );
}
