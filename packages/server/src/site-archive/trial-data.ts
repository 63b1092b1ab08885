import { SITE_RECORD_KINDS, type SiteRecordKind, TRIAL_RECORDS_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { ARCHIVED } from '../db/site-data.ts';

/** Counting stops here; the desk shows "and more". */
const COUNTED_MAX = 10_000;

/** Records of this installation's people and programs, and rows that aren't records. */
const STAYS = ['pictures', 'agents', 'api_tokens', 'usage_days', 'report_sites', 'audit_entries'];

interface SiteRecords {
  counts: { kind: SiteRecordKind; count: number }[];
  /** Whether there are so few records that the site has only been tried out. */
  is_trial: boolean;
}

/** The site's records, which prevent importing an archive. */
export async function recordsOf({ db, site }: SiteContext): Promise<SiteRecords> {
  const counts: SiteRecords['counts'] = [];
  for (const kind of SITE_RECORD_KINDS) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (
        select from ${sql.table(kind)} where site_id = ${site.id} limit ${COUNTED_MAX}
      ) found`.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count > 0) counts.push({ kind, count });
  }
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return { counts, is_trial: all > 0 && all <= TRIAL_RECORDS_MAX };
}

/** Deletes trial records to make room for an archive. The team, tokens and audit log stay. */
export async function clearTrial({ db, site }: SiteContext): Promise<void> {
  for (const { name, later = [] } of ARCHIVED)
    for (const column of later)
      await sql`
        update ${sql.table(name)} set ${sql.ref(column)} = null
        where site_id = ${site.id} and ${sql.ref(column)} is not null`.execute(db);
  for (const { name } of ARCHIVED.toReversed())
    if (!STAYS.includes(name))
      await sql`delete from ${sql.table(name)} where site_id = ${site.id}`.execute(db);
}
