import type { DueState } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A warning has begun, and its time isn't over. Word for word as in the index `tickets_sla_soon`. */
const WARNED = sql.lit('$.* ? (@.warned == true && @.missed == null && @.done == null && @.due != null)');

/** The condition on tickets `t`, or another alias, for the filter `due`. */
export function isDue(due: DueState, now: Date, alias = 't'): RawBuilder<SqlBool> {
  const at = sql.ref(`${alias}.sla_due_at`);
  if (due === 'late') return sql`${at} <= ${now}`;
  return sql`(jsonb_path_exists(${sql.ref(`${alias}.sla`)}, ${WARNED}) and ${at} > ${now})`;
}
