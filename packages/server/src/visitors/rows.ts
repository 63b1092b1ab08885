import type { Attributes } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { jsonRows, prepared } from '../db/prepared.ts';
import type { Tables } from '../db/tables.generated.ts';

export type VisitorRow = Selectable<Tables['visitors']>;

/** All of a visitor's columns: a statement that is prepared names them. */
export const VISITOR_COLUMNS = [
  ...(['site_id', 'id', 'key', 'email', 'name', 'attributes', 'event_count', 'erased_at'] as const),
  ...(['merged_into_id', 'first_seen_at', 'last_seen_at', 'created_at', 'updated_at'] as const),
  ...(['segment_ids', 'segments_due_at', 'search', 'verified_fields', 'pre_chat_completed_at'] as const),
  ...(['last_seen_hour', 'verified_at', 'blocked_at', 'blocked_by'] as const),
] as const;

/** What changing a visitor needs. Less than a context, because a socket's hello has none yet. */
export interface VisitorScope {
  readonly db: Db;
  readonly siteId: number;
  readonly now: Date;
  emit: SiteContext['emit'];
}

/** `now` is fixed from here on, so that everything that one change writes has the same time. */
export const scopeOf = (ctx: SiteContext): VisitorScope => ({
  db: ctx.db,
  siteId: ctx.site.id,
  now: ctx.now(),
  emit: (event) => ctx.emit(event),
});

export interface NewVisitor {
  key: string;
  email: string | null;
  name: string | null;
  attributes: Attributes;
  /** Which of `email` and `name` can't be changed by a page without proof. */
  verified_fields: string[];
}

/** Waits for a transaction that is inserting the same key. @returns undefined when the key has a visitor already. */
export async function insertVisitor(
  { db, siteId, now }: VisitorScope,
  { key, email, name, attributes, verified_fields }: NewVisitor,
): Promise<VisitorRow | undefined> {
  return db
    .insertInto('visitors')
    .values({
      site_id: siteId,
      key,
      email,
      name,
      attributes: JSON.stringify(attributes),
      verified_fields,
      first_seen_at: now,
      last_seen_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'key']).where('erased_at', 'is', null).doNothing())
    .returning(VISITOR_COLUMNS)
    .modifyEnd(prepared)
    .executeTakeFirst();
}

/** Inserts visitors of keys that were just generated. @returns them in any order */
export async function insertVisitors(
  { db, siteId, now }: VisitorScope,
  visitors: readonly NewVisitor[],
): Promise<VisitorRow[]> {
  const { rows } = await sql<VisitorRow>`${prepared}
    insert into visitors (site_id, key, email, name, attributes, verified_fields,
      first_seen_at, last_seen_at, created_at, updated_at)
    select ${siteId}::bigint, key, email, name, attributes, verified_fields, at, at, at, at
    from ${jsonRows(visitors)} as v (key text, email text, name text, attributes jsonb, verified_fields text[]),
      (values (${now}::timestamptz)) as clock (at)
    returning ${sql.join(VISITOR_COLUMNS.map((name) => sql.ref(name)))}`.execute(db);
  return rows;
}

/** Undefined for an unknown key and an erased visitor. Takes no lock. */
export async function findVisitor(db: Db, siteId: number, key: string): Promise<VisitorRow | undefined> {
  return db
    .selectFrom('visitors')
    .modifyFront(prepared)
    .select(VISITOR_COLUMNS)
    .where('site_id', '=', siteId)
    .where('key', '=', key)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

/** Locks the visitors of these keys in the order of their ids, so that callers can't deadlock. */
export async function lockVisitors(
  { db, siteId }: VisitorScope,
  keys: readonly string[],
): Promise<VisitorRow[]> {
  return db
    .selectFrom('visitors')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('key', 'in', keys)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Locks a visitor against other changes, but not against new chats. */
export async function lockVisitor(
  { db, siteId }: VisitorScope,
  key: string,
): Promise<VisitorRow | undefined> {
  return db
    .selectFrom('visitors')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('key', '=', key)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * The current visitor of an id: a socket or a job may hold one that was merged into another since. Locks the row until
 * the end of the transaction, so that records can safely be attached to it.
 * @returns undefined when the visitor was erased or is another site's.
 */
export async function currentVisitor(
  db: Db,
  siteId: number,
  visitorId: number,
): Promise<VisitorRow | undefined> {
  let id: number | null = visitorId;
  while (id !== null) {
    const row: VisitorRow | undefined = await db
      .selectFrom('visitors')
      .modifyFront(prepared)
      .select(VISITOR_COLUMNS)
      .where('site_id', '=', siteId)
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirst();
    if (row?.erased_at === null) return row;
    id = row?.merged_into_id ?? null;
  }
  return undefined;
}
