import type { ProactiveRule } from '@foyer/protocol';
import { isObject } from '../guard.ts';

const VISITS = 'svc.visits';
/** After so long without a page, the next one is another visit. */
const VISIT_MS = 30 * 60_000;
/** How exactly the last page is remembered: storing it each second would wake all tabs. */
const STEP_MS = 60_000;

interface Storage {
  read(name: string): unknown;
  write(name: string, value?: unknown): void;
}

/** Which visit of this browser it is, counted only while a message asks for it. Otherwise always the first. */
export const countVisits = (
  { read, write }: Storage,
  rules: readonly Pick<ProactiveRule, 'min_visits'>[],
  now: number = Date.now(),
): number => {
  if (rules.every(({ min_visits }) => min_visits <= 1)) return 1;
  const known = read(VISITS);
  const { count = 0, at = 0 } = isObject(known) ? (known as { count?: number; at?: number }) : {};
  const visit = now - at > VISIT_MS ? count + 1 : count;
  if (visit !== count || now - at > STEP_MS) write(VISITS, { count: visit, at: now });
  return visit;
};
