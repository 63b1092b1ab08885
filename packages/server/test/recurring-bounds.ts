import type { Bounds } from './plan-reading.ts';

/** How much a run may read if nothing is due: next to nothing. */
export const NOTHING_DUE: Bounds = {
  // Queues of pending work, which are empty if there is none; sequences have one row.
  small: new Set([
    'segment_deltas',
    'report_dirty_records',
    'rule_events',
    'messages_id_seq',
    'notes_id_seq',
  ]),
  sorted: 100,
  read: 100,
};
