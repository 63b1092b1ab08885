import { SLA_TARGETS, type SlaTarget } from '@foyer/protocol';
import type { SlaState } from '../../db/column-types.ts';
import { type Count, subjectOf } from '../measures.ts';

/** A bucket is the target's place, doubled, plus one if it was missed. */
const bucketOf = (target: SlaTarget, isMissed: boolean): number =>
  2 * SLA_TARGETS.indexOf(target) + (isMissed ? 1 : 0);

/** The target that a bucket counts; undefined if this version knows none of it. */
export const targetOf = (bucket: number): SlaTarget | undefined => SLA_TARGETS[bucket >> 1];
/** Whether a bucket counts misses. */
export const isMissed = (bucket: number): boolean => bucket % 2 === 1;

/** How often each target was met and missed; one that still runs is neither. */
function outcomesOf(state: SlaState): Map<number, number> {
  const outcomes = new Map<number, number>();
  const add = (target: SlaTarget, missed: boolean, count: number): void => {
    const bucket = bucketOf(target, missed);
    if (count > 0) outcomes.set(bucket, (outcomes.get(bucket) ?? 0) + count);
  };
  for (const target of SLA_TARGETS) {
    const one = state[target];
    if (one && (one.missed || one.done)) add(target, one.missed !== null, 1);
  }
  add('next_response', false, state.answers?.met ?? 0);
  add('next_response', true, state.answers?.missed ?? 0);
  return outcomes;
}

/** What a record with an SLA adds to the sums. */
export function slaCounts(
  state: SlaState | null,
  day: string,
  { teamId, assigneeId }: { teamId: number | null; assigneeId: number | null },
): Count[] {
  if (!state) return [];
  return [...outcomesOf(state)].flatMap(([bucket, count]): Count[] => [
    ['sla_policies', day, String(state.policy.id), bucket, count, 0],
    ['sla_teams', day, subjectOf(teamId), bucket, count, 0],
    ['sla_agents', day, subjectOf(assigneeId), bucket, count, 0],
  ]);
}
