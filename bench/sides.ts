/** A bare side and ours, whose processor time is measured as well as their rates. */
import type { Child } from './child.ts';
import { type Figure, median, NONE } from './figures.ts';
import { cpuMsOf, descendants } from './processes.ts';

/** The work after a round is over when so little of a core is busy, or after so many looks. */
const QUIET_MS = 500;
const QUIET_CPU_MS = 40;
const LOOKS_MAX = 60;

export interface Side {
  /** One round, with the work that follows it. @returns operations a second */
  round(): Promise<number>;
  /** Processor time of the side's process and PostgreSQL for each operation of each round. */
  cpuMs: number[];
}

interface Round {
  rate: number;
  operations: number;
}

/**
 * @param pid the side's process
 * @param postgres the main process of the PostgreSQL that it works on
 */
export function sideOf(pid: number, postgres: number, run: () => Promise<Round>): Side {
  const cpuMs: number[] = [];
  const spent = (): number => cpuMsOf([pid, ...descendants(postgres)]);
  return {
    cpuMs,
    async round() {
      const before = spent();
      const { rate, operations } = await run();
      await quiet(spent);
      cpuMs.push((spent() - before) / operations);
      return rate;
    },
  };
}

/** A side that a client of its own (`http-load.ts`) sends so many requests in a round. */
export const requestedSide = (pid: number, postgres: number, load: Child, requests: number): Side =>
  sideOf(pid, postgres, async () => ({
    rate: await load.ask<number>({ run: { requests } }),
    operations: requests,
  }));

/** Waits for what the server does behind its answers, such as reading messages' words, so that it counts as theirs. */
async function quiet(spent: () => number): Promise<void> {
  for (let look = 0, last = spent(); look < LOOKS_MAX; look++) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = spent();
    if (now - last <= QUIET_CPU_MS) return;
    last = now;
  }
}

export function cpuFigure(what: string, ours: Side, bare: Side): Figure {
  const [of, against] = [median(ours.cpuMs), median(bare.cpuMs)];
  const ratio = `${(of / against).toFixed(1)} ×`;
  return { what, ours: `${of.toFixed(2)} ms`, bare: `${against.toFixed(2)} ms`, ratio, wanted: NONE };
}
