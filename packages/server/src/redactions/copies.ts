import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { type Needle, redactCopy, redactJson } from './needle.ts';

/** A conversation: a chat and the tickets created from it, or a ticket and those that it was merged with or follows. */
export interface Conversation {
  chats: readonly number[];
  tickets: readonly number[];
}

interface CopyColumns {
  /** Whole texts. */
  texts?: readonly string[];
  /** Texts that may be cut off in the middle of a message. */
  excerpts?: readonly string[];
  json?: readonly string[];
}

interface Copies extends CopyColumns {
  table: string;
  /** The columns by which a row belongs to a chat or a ticket. */
  chat?: string;
  ticket?: string;
  /** A condition on the rows. */
  only?: RawBuilder<unknown>;
}

/** Everywhere that Foyer stores the texts of a conversation, except the search index and what is in `mails.ts`. */
const COPIES: readonly Copies[] = [
  { table: 'messages', chat: 'conversation_id', texts: ['text'] },
  { table: 'notes', chat: 'conversation_id', texts: ['text'] },
  { table: 'feedback', chat: 'conversation_id', texts: ['comment'] },
  { table: 'handoffs', chat: 'conversation_id', excerpts: ['summary', 'visitor_line'] },
  { table: 'conversations', chat: 'id', excerpts: ['last_text', 'said_text', 'about'] },
  { table: 'action_runs', chat: 'conversation_id', json: ['given'] },
  { table: 'action_calls', chat: 'conversation_id', excerpts: ['response_excerpt'], json: ['input'] },
  { table: 'drafts', chat: 'conversation_id', ticket: 'ticket_id', texts: ['text'] },
  { table: 'chat_mails', chat: 'conversation_id', excerpts: ['subject'], texts: ['quoted'] },
  { table: 'tickets', ticket: 'id', texts: ['description'], excerpts: ['subject', 'mail_subject'] },
  { table: 'ticket_replies', ticket: 'ticket_id', texts: ['body'], json: ['undo'] },
  { table: 'ticket_mails', ticket: 'ticket_id', excerpts: ['subject'], texts: ['quoted'] },
  { table: 'received_mails', chat: 'conversation_id', ticket: 'ticket_id', excerpts: ['subject', 'detail'] },
  {
    table: 'audit_entries',
    ticket: 'subject_id',
    only: sql`subject = 'ticket'`,
    excerpts: ['label'],
    json: ['changes'],
  },
];

export interface Changed {
  table: string;
  id: number | null;
  conversationId: number | null;
  seq: number | null;
}

/** A row as JSON, so that one function reads every table. */
interface StoredRow {
  place: string;
  row: Record<string, unknown>;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function redactRow(
  row: StoredRow['row'],
  { texts = [], excerpts = [], json = [] }: CopyColumns,
  needle: Needle,
): [column: string, value: string][] {
  const changes: [string, string][] = [];
  for (const column of [...texts, ...excerpts]) {
    const value = row[column];
    if (typeof value !== 'string') continue;
    const redacted = redactCopy(value, needle, excerpts.includes(column));
    if (redacted !== value) changes.push([column, redacted]);
  }
  for (const column of json) {
    const before = JSON.stringify(row[column]);
    const after = JSON.stringify(redactJson(row[column], needle, true));
    if (before !== undefined && after !== before) changes.push([column, after]);
  }
  return changes;
}

/** Redacts columns of the rows of a table. The rows stay locked for the rest of the transaction. */
export async function redactRows(
  { db, site }: SiteContext,
  table: string,
  columns: CopyColumns,
  which: RawBuilder<unknown>,
  needle: Needle,
): Promise<Changed[]> {
  const { rows } = await sql<StoredRow>`
    select t.ctid::text as place, to_jsonb(t) as row from ${sql.table(table)} t
    where t.site_id = ${site.id} and ${which} for update of t`.execute(db);
  const changed: Changed[] = [];
  for (const { place, row } of rows) {
    const changes = redactRow(row, columns, needle);
    if (changes.length === 0) continue;
    const assignments = changes.map(([column, value]) =>
      columns.json?.includes(column)
        ? sql`${sql.ref(column)} = ${value}::jsonb`
        : sql`${sql.ref(column)} = ${value}`,
    );
    await sql`update ${sql.table(table)} set ${sql.join(assignments)} where ctid = ${place}::tid`.execute(db);
    changed.push({
      table,
      id: numberOf(row.id),
      conversationId: numberOf(row.conversation_id),
      seq: numberOf(row.seq),
    });
  }
  return changed;
}

/** Redacts every copy within a conversation whose chats and tickets are locked. */
export async function redactCopies(
  tx: SiteContext,
  { chats, tickets }: Conversation,
  needle: Needle,
): Promise<Changed[]> {
  const changed: Changed[] = [];
  for (const { table, chat, ticket, only, ...columns } of COPIES) {
    for (const [column, ids] of [
      [chat, chats],
      [ticket, tickets],
    ] as const) {
      if (column === undefined || ids.length === 0) continue;
      const belongs = sql`t.${sql.ref(column)} = any (${[...ids]}::bigint[])`;
      const which = only ? sql`${belongs} and ${only}` : belongs;
      changed.push(...(await redactRows(tx, table, columns, which, needle)));
    }
  }
  return changed;
}
