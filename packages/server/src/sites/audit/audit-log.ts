import type { AuditEntry, AuditSubject, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { csvText } from '../../base/csv.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime, decodeCursor, pageOf } from '../../db/keyset.ts';

/** Rows in one part of an export; the next part continues after its last entry. */
const EXPORT_ROWS = 5_000;

interface EntryRow {
  id: number;
  actor_kind: AuditEntry['actor']['kind'];
  actor_id: number | null;
  actor_name: string | null;
  address: string | null;
  subject: AuditSubject;
  subject_id: number | null;
  label: string | null;
  action: string;
  changes: AuditEntry['changes'];
  created_at: Date;
}

type Filter = Omit<ParsedInputOf<'audit.export'>, 'after'>;

const present = (row: EntryRow): AuditEntry => ({
  id: row.id,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  address: row.address,
  subject: row.subject,
  subject_id: row.subject_id,
  label: row.label,
  action: row.action,
  changes: row.changes,
  created_utc: row.created_at.toISOString(),
});

/** Entries with current names. */
async function entries(
  { db, site }: SiteContext,
  { agent_id, subject, since }: Filter,
  { beyond, order, limit }: { beyond: RawBuilder<unknown>; order: 'asc' | 'desc'; limit: number },
): Promise<EntryRow[]> {
  const who = agent_id === undefined ? sql`true` : sql`e.actor_kind = 'agent' and e.actor_id = ${agent_id}`;
  const { rows } = await sql<EntryRow>`
    select e.id, e.actor_kind, e.actor_id, coalesce(a.name, k.name) as actor_name, e.address, e.subject,
      e.subject_id, e.label, e.action, e.changes, e.created_at
    from audit_entries e
    left join agents a on e.actor_kind = 'agent' and a.site_id = e.site_id and a.id = e.actor_id
    left join api_tokens k on e.actor_kind = 'token' and k.site_id = e.site_id and k.id = e.actor_id
    where e.site_id = ${site.id} and e.subject <> 'ticket' and ${who}
      and ${subject === undefined ? sql`true` : sql`e.subject = ${subject}`}
      and ${since === undefined ? sql`true` : sql`e.created_at >= ${new Date(since)}`}
      and ${beyond}
    order by e.created_at ${sql.raw(order)}, e.id ${sql.raw(order)} limit ${limit}`.execute(db);
  return rows;
}

/** By time, then id. Names are the current ones, not those at the time of the entry. */
export async function listAudit(
  ctx: SiteContext,
  { limit, cursor, order, ...filter }: ParsedInputOf<'audit.list'>,
): Promise<OutputOf<'audit.list'>> {
  const [time, id] = decodeCursor(cursor, 2) ?? [];
  const behind = order === 'asc' ? sql`>` : sql`<`;
  const beyond =
    time === undefined || id === undefined
      ? sql`true`
      : sql`(e.created_at, e.id) ${behind} (${cursorTime(time)}, ${id})`;
  const rows = await entries(ctx, filter, { beyond, order, limit: limit + 1 });
  return pageOf(rows, limit, (row) => [row.created_at.getTime(), row.id], present);
}

const HEAD = ['time_utc', 'who', 'name', 'address', 'what', 'kind', 'record', 'called', 'changes'];

/** The log as CSV, oldest first, in parts of limited size; only the first has the header row. */
export async function exportAudit(
  ctx: SiteContext,
  { after, ...filter }: ParsedInputOf<'audit.export'>,
): Promise<OutputOf<'audit.export'>> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(e.created_at, e.id) > (select created_at, id from audit_entries where site_id = ${ctx.site.id} and id = ${after})`;
  const rows = await entries(ctx, filter, { beyond, order: 'asc', limit: EXPORT_ROWS });
  const lines = rows.map((row) => [
    row.created_at.toISOString(),
    row.actor_kind,
    row.actor_name,
    row.address,
    row.action,
    row.subject,
    row.subject_id,
    row.label,
    JSON.stringify(row.changes),
  ]);
  const text = csvText(after === undefined ? [HEAD, ...lines] : lines);
  return {
    // Only the beginning of a file has the byte order mark.
    text: after === undefined ? text : text.slice(1),
    next: rows.length === EXPORT_ROWS ? (rows.at(-1)?.id ?? null) : null,
  };
}
