import { readdirSync, readFileSync } from 'node:fs';

/** The process that has started it. */
export const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);

/** All processes below one, itself included. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(Number(name));
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap(below)];
  return below(pid);
}

/** A process may have ended before it is read. */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The id of the PostgreSQL of a data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0]);
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of these processes and their ended children, in milliseconds. */
export function cpuMsOf(pids: readonly number[]): number {
  const ticksOf = (pid: number): number => {
    // The name of the program may contain spaces; later fields are found by position.
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  };
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS;
}
