import type { OutputOf, ParsedInputOf, Visitor, VisitorDetail } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { containsPattern, cursorId, type Page, pageOf } from '../db/keyset.ts';
import { notFound } from '../errors.ts';
import { attributesOf } from './attributes.ts';
import { findVisitor, scopeOf, type VisitorRow } from './rows.ts';
import { tellVisitor } from './upsert.ts';

const RECENT_EVENTS = 20;

/** An erased visitor is on no list, so its key is always there. */
export function presentVisitor(row: VisitorRow): Visitor {
  return {
    key: row.key ?? '',
    email: row.email,
    name: row.name,
    attributes: row.attributes,
    segments: [],
    first_seen_utc: row.first_seen_at.toISOString(),
    last_seen_utc: row.last_seen_at.toISOString(),
    created_utc: row.created_at.toISOString(),
    updated_utc: row.updated_at.toISOString(),
  };
}

/** Made just now: any later upsert puts `updated_utc` behind `created_utc`. */
export const isNewVisitor = ({ created_utc, updated_utc }: Visitor): boolean => created_utc === updated_utc;

/**
 * Makes or changes the visitor of a key (decisions 3, `visitors`), safe for any number of callers at once.
 * @throws AppError 400 for too many attributes or a `previous_key` that is not anonymous.
 */
export async function upsertVisitor(
  ctx: SiteContext,
  input: ParsedInputOf<'visitors.upsert'>,
): Promise<Visitor> {
  const { key, previous_key, email, name } = input;
  const telling = { key, previousKey: previous_key, email, name, attributes: attributesOf(input) };
  return ctx.transaction(async (tx) => presentVisitor(await tellVisitor(scopeOf(tx), telling)));
}

/** What a visitor did last, newest first; `created_utc` is when it happened. */
export async function recentEvents(
  db: Db,
  siteId: number,
  visitorId: number,
  limit: number,
): Promise<VisitorDetail['recent_events']> {
  const rows = await db
    .selectFrom('visitor_events')
    .select(['id', 'name', 'properties', 'occurred_at'])
    .where('site_id', '=', siteId)
    .where('visitor_id', '=', visitorId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, name, properties, occurred_at }) => ({
    event_id: id,
    name,
    properties,
    created_utc: occurred_at.toISOString(),
  }));
}

async function getVisitorDetail({ db, site }: SiteContext, key: string): Promise<VisitorDetail> {
  const row = await findVisitor(db, site.id, key);
  if (!row) throw notFound('visitor');
  const events = await recentEvents(db, site.id, row.id, RECENT_EVENTS);
  return { ...presentVisitor(row), event_count: row.event_count, recent_events: events };
}

type Find = ParsedInputOf<'visitors.find'>;

async function listVisitors({ db, site }: SiteContext, find: Find): Promise<Page<Visitor>> {
  const { limit, cursor, order, email, q } = find;
  const after = cursorId(cursor);
  let query = db
    .selectFrom('visitors')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('erased_at', 'is', null);
  if (after !== undefined) query = query.where('id', order === 'asc' ? '>' : '<', after);
  if (email !== undefined) query = query.where(sql`lower(email)`, '=', email.toLowerCase());
  if (q !== undefined) {
    const pattern = containsPattern(q);
    query = query.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('email', 'ilike', pattern), eb('key', 'ilike', pattern)]),
    );
  }
  const rows = await query
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.id], presentVisitor);
}

/** One visitor by its key, with what it did; else a list, newest first. */
export const findVisitors = (ctx: SiteContext, find: Find): Promise<OutputOf<'visitors.find'>> =>
  find.key === undefined ? listVisitors(ctx, find) : getVisitorDetail(ctx, find.key);
