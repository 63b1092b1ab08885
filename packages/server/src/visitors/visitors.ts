import type { OutputOf, ParsedInputOf, Visitor, VisitorDetail } from '@foyer/protocol';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { runExclusive } from '../core/keyed-mutex.ts';
import type { Db } from '../db/database.ts';
import { attributesOf } from './attributes.ts';
import { trustInCaller } from './identity/caller-trust.ts';
import { tellVisitor } from './identity/upsert.ts';
import { listVisitors } from './list.ts';
import { asFields } from './person-fields.ts';
import { presentVisitor, segmentNames } from './present.ts';
import { findVisitor, scopeOf, type VisitorRow } from './rows.ts';

const RECENT_EVENTS = 20;

/** Only the key: reveals nothing stored before, not even whether the visitor existed. */
export const keyAlone = ({ key }: Visitor): { key: string } => ({ key });

/** Whether the visitor was just created: any later upsert makes `updated_utc` later than `created_utc`. */
export const isNewVisitor = ({ created_utc, updated_utc }: Visitor): boolean => created_utc === updated_utc;

const presentOne = async (
  { db, site }: Pick<SiteContext, 'db' | 'site'>,
  row: VisitorRow,
): Promise<Visitor> => presentVisitor(row, await segmentNames(db, site.id, [row]));

/**
 * Creates or updates the visitor with this key; safe for any number of concurrent callers.
 * @throws AppError 400 for too many attributes or a `previous_key` that is not anonymous, 403 for a browser token
 * without the proof that the site asks for
 */
export async function upsertVisitor(
  ctx: SiteContext,
  input: ParsedInputOf<'visitors.upsert'>,
): Promise<Visitor> {
  const { key, previous_key, email, name, user_hash } = input;
  const trust = await trustInCaller(ctx, key, user_hash);
  const given = attributesOf(input);
  const pathOf = (field: string): string =>
    input.attributes && Object.hasOwn(input.attributes, field) ? `attributes.${field}` : field;
  const attributes = trust === 'vouched' ? await asFields(ctx, key, given, pathOf) : given;
  const telling = { key, previousKey: previous_key, email, name, attributes, trust };
  const row = await runExclusive(ctx, key, () => ctx.transaction((tx) => tellVisitor(scopeOf(tx), telling)));
  return presentOne(ctx, row);
}

/** A visitor's latest events, newest first; `created_utc` is when an event happened. */
async function recentEvents(
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
  return { ...(await presentOne({ db, site }, row)), event_count: row.event_count, recent_events: events };
}

type Find = ParsedInputOf<'visitors.find'>;

/** One visitor by key with its events; otherwise a list, newest first. */
export const findVisitors = (ctx: SiteContext, find: Find): Promise<OutputOf<'visitors.find'>> =>
  find.key === undefined ? listVisitors(ctx, find) : getVisitorDetail(ctx, find.key);
