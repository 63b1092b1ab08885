import type {
  OutputOf,
  ParsedInputOf,
  ReplyAuthor,
  TicketChanges,
  TicketHistoryEntry,
  TicketRouting,
} from '@foyer/protocol';
import { sql } from 'kysely';
import type { Actor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorId, pageOf } from '../db/keyset.ts';
import { getTicketRow } from './tickets.ts';

interface EntryRow {
  id: number;
  action: string;
  actor_kind: Actor['kind'];
  actor_id: number | null;
  actor_name: string | null;
  /** `routing` isn't a field, but why routing assigned the ticket or didn't. */
  changes: TicketChanges & { routing?: [null, TicketRouting] };
  created_at: Date;
}

function authorOfEntry({ actor_kind, actor_id, actor_name }: EntryRow): ReplyAuthor {
  const name = actor_name ?? '';
  if (actor_kind === 'agent' || actor_kind === 'token') return { type: actor_kind, id: actor_id, name };
  return actor_kind === 'visitor'
    ? { type: 'requester', id: null, name }
    : { type: 'system', id: null, name: 'System' };
}

function present(row: EntryRow): TicketHistoryEntry {
  const { routing, ...changes } = row.changes;
  return {
    id: row.id,
    action: row.action,
    author: authorOfEntry(row),
    changes,
    routing: routing?.[1] ?? null,
    created_utc: row.created_at.toISOString(),
  };
}

/** The changes of a ticket, from the audit log, with current names. @throws AppError 404 */
export async function listHistory(
  ctx: SiteContext,
  { id, limit, cursor, order }: ParsedInputOf<'tickets.history'>,
): Promise<OutputOf<'tickets.history'>> {
  await getTicketRow(ctx, id);
  const after = cursorId(cursor);
  const [direction, compare] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond = after === undefined ? sql`true` : sql`e.id ${compare} ${after}`;
  const { rows } = await sql<EntryRow>`
    select e.id, e.action, e.actor_kind, e.actor_id, e.changes, e.created_at,
      coalesce(a.name, k.name, v.name) as actor_name
    from audit_entries e
    left join agents a on e.actor_kind = 'agent' and a.site_id = e.site_id and a.id = e.actor_id
    left join api_tokens k on e.actor_kind = 'token' and k.site_id = e.site_id and k.id = e.actor_id
    left join visitors v on e.actor_kind = 'visitor' and v.site_id = e.site_id and v.id = e.actor_id
    where e.site_id = ${ctx.site.id} and e.subject = 'ticket' and e.subject_id = ${id} and ${beyond}
    order by e.id ${direction} limit ${limit + 1}`.execute(ctx.db);
  return pageOf(rows, limit, (row) => [row.id], present);
}
