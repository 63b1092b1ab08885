import type { DueState } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A warning has begun, and its time isn't over. Word for word as in the index `tickets_sla_soon`. */
const WARNED = sql.lit('$.* ? (@.warned == true && @.missed == null && @.done == null && @.due != null)');

/** The columns of a ticket or chat. */
interface DueColumns {
  sla: RawBuilder<unknown>;
  dueAt: RawBuilder<unknown>;
}

const TICKET: DueColumns = { sla: sql`t.sla`, dueAt: sql`t.sla_due_at` };

/** The condition for the filter `due`, by default on tickets `t`. */
export function isDue(due: DueState, now: Date, { sla, dueAt } = TICKET): RawBuilder<SqlBool> {
  if (due === 'late') return sql`${dueAt} <= ${now}`;
  return sql`(jsonb_path_exists(${sla}, ${WARNED}) and ${dueAt} > ${now})`;
}
