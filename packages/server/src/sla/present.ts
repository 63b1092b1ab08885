import type { Sla } from '@foyer/protocol';
import { SLA_TARGETS } from '@foyer/protocol';
import type { Promised, SlaState } from '../db/column-types.ts';

const stateOf = ({ missed, done, due }: Promised): Sla['targets'][number]['state'] => {
  if (missed) return 'missed';
  if (done) return 'met';
  return due === null ? 'paused' : 'running';
};

/** The SLA targets of a ticket or chat, over the wire. Null: no policy applies. */
export function presentSla(state: SlaState | null, dueAt: Date | null): Sla | null {
  if (!state) return null;
  const due = dueAt?.toISOString() ?? null;
  const target = SLA_TARGETS.find(
    (name) => due !== null && state[name]?.done === null && state[name].due === due,
  );
  return {
    policy: state.policy,
    target: target ?? null,
    due_utc: due,
    warn_utc: (target && state[target]?.warn) ?? null,
    targets: SLA_TARGETS.flatMap((name) => {
      const one = state[name];
      return one ? [{ target: name, state: stateOf(one), due_utc: one.due, missed_utc: one.missed }] : [];
    }),
  };
}
