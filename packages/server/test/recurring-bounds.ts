import type { Bounds } from './plan-reading.ts';

/** What a look that finds nothing due may read: next to nothing. */
export const NOTHING_DUE: Bounds = {
  // Queues of work that waits, which are empty when nothing does; sequences have one row.
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
