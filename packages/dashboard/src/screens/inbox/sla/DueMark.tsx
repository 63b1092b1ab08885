import type { Sla } from '@foyer/protocol';
import { Timer } from 'lucide-react';
import { cx } from '../../../ui/classes.ts';
import { dueLook, dueWords } from './due.ts';

/** When the next target of a ticket or chat is due, or since when it is late. */
export function DueMark({ sla: { due_utc, warn_utc }, now }: { sla: Sla; now: number }) {
  if (due_utc === null) return null;
  return (
    <span
      className={cx(
        'inline-flex shrink-0 items-center gap-0.5 whitespace-nowrap',
        dueLook(due_utc, warn_utc, now),
      )}
    >
      <Timer aria-hidden className="size-3.5" />
      {dueWords(due_utc, now)}
    </span>
  );
}
