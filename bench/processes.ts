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

/** A process may be gone by the time that it is looked at. */
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

/** Processor time that these processes and those that they have ended have taken, in milliseconds. */
export function cpuMsOf(pids: readonly number[]): number {
  const ticksOf = (pid: number): number => {
    // The name of the program may hold spaces; what follows it is by position.
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  };
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS;
}
