import type { ParsedInputOf, Visitor } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { cursorId, type Page, pageOf } from '../db/keyset.ts';
import { presentVisitor, segmentNames } from './present.ts';
import type { VisitorRow } from './rows.ts';
import { isMeantBy, isMistypedOnce, type TypedWords, termOf, typedWords } from './search-terms.ts';

type Find = Omit<ParsedInputOf<'visitors.find'>, 'key'>;

/** A search checks this many of the newest visitors one by one before it uses the text index. */
const WALK = 2_000;
/** Searches that no index supports look only at this many of the newest. */
const ODD_WALK = 20_000;
/** How many of the similar visitors found by the index are checked, newest first. */
const SIMILAR_MAX = 5_000;
/**
 * Low, because one wrong letter in the middle of a short word breaks half of its trigrams. `isMeantBy` makes the
 * decision.
 */
const SIMILARITY = 0.3;
/** If half of all visitors are similar and none matches, no index helps: then nobody is found. */
const GUESS_MS = 1_500;
const CANCELED = '57014';

interface SearchScope {
  db: Db;
  siteId: number;
  order: 'asc' | 'desc';
  after: number | undefined;
  limit: number;
  email: string | undefined;
  segment: number | undefined;
}

type Condition = RawBuilder<SqlBool>;

/** The visitors in the order of an index: the segment's members, or all. Few share one address. */
function inOrder(scope: SearchScope): RawBuilder<unknown> {
  const { siteId, order, after, email, segment } = scope;
  const step = order === 'asc' ? sql`>` : sql`<`;
  if (email !== undefined) return byIndex(scope, sql`lower(v.email) = ${email.toLowerCase()}`);
  if (segment === undefined) {
    const beyond = after === undefined ? sql`` : sql`and v.id ${step} ${after}`;
    return sql`from visitors v where v.site_id = ${siteId} and v.erased_at is null ${beyond}
      order by v.id ${sql.raw(order)}`;
  }
  const beyond = after === undefined ? sql`` : sql`and m.visitor_id ${step} ${after}`;
  return sql`from segment_members m join visitors v on v.site_id = m.site_id and v.id = m.visitor_id
    where m.site_id = ${siteId} and m.segment_id = ${segment} and v.erased_at is null ${beyond}
    order by m.visitor_id ${sql.raw(order)}`;
}

/** Visitors found by the text index, however many the planner expects. */
function byIndex(scope: SearchScope, condition: Condition): RawBuilder<unknown> {
  const { siteId, order, after, email, segment } = scope;
  const step = order === 'asc' ? sql`>` : sql`<`;
  return sql`from (
      select v.* from visitors v where v.site_id = ${siteId} and v.erased_at is null and ${condition} offset 0
    ) as v
    where true
      ${after === undefined ? sql`` : sql`and v.id ${step} ${after}`}
      ${email === undefined ? sql`` : sql`and lower(v.email) = ${email.toLowerCase()}`}
      ${
        segment === undefined
          ? sql``
          : sql`and exists (select from segment_members m
              where m.site_id = ${siteId} and m.segment_id = ${segment} and m.visitor_id = v.id)`
      }
    order by v.id ${sql.raw(order)}`;
}

async function rowsOf<Row = VisitorRow>(db: Db, query: RawBuilder<unknown>): Promise<Row[]> {
  return (await sql<Row>`${query}`.execute(db)).rows;
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Normalised like the column `search`, by the same database function. */
async function folded(db: Db, q: string): Promise<string> {
  const { rows } = await sql<{ text: string }>`select visitor_search_text(${q}) as text`.execute(db);
  return rows[0]?.text ?? '';
}

/**
 * In a transaction that only allows index plans, because the planner can't estimate how many rows a text matches.
 */
const withIndexes = <T>({ db }: SearchScope, work: (db: Db) => Promise<T>): Promise<T> => {
  const inside = async (tx: Db): Promise<T> => {
    await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx);
    return work(tx);
  };
  return db.isTransaction ? inside(db) : db.transaction().execute(inside);
};

/** Exact matches: by reading the newest if the text is frequent, by the index if it is rare. */
async function findExact(scope: SearchScope, search: string): Promise<VisitorRow[]> {
  const { db, limit } = scope;
  const term = termOf(search);
  const pattern = term.kind === 'beginning' ? `% ${escaped(search)}%` : `%${escaped(search)}%`;
  const matches: Condition = sql`v.search like ${pattern}`;
  const walk = term.kind === 'odd' ? ODD_WALK : WALK;
  const near = await rowsOf<VisitorRow>(
    db,
    sql`select v.* from (select v.* ${inOrder(scope)} limit ${walk}) as v where ${matches} limit ${limit}`,
  );
  if (near.length === limit || term.kind === 'odd') return near;
  return withIndexes(scope, (tx) => rowsOf(tx, sql`select v.* ${byIndex(scope, matches)} limit ${limit}`));
}

const isCanceled = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === CANCELED;

type Similar = Pick<VisitorRow, 'id' | 'search'>;

/** Which of the words may be mistyped. */
type Typos = 'one' | 'all';

const has = (word: string): Condition => sql`v.search like ${`%${escaped(word)}%`}`;

const looksLike = (mistyped: readonly string[], { forgiven, exact }: TypedWords): Condition => {
  const right = [...exact, ...forgiven.filter((word) => !mistyped.includes(word))];
  return sql`(${sql.join([...mistyped.map((word): Condition => sql`v.search %> ${word}`), ...right.map(has)], sql` and `)})`;
};

/** The ids of matches among the similar visitors that the index finds; none if there are too many. */
async function similarIds(scope: SearchScope, words: TypedWords, typos: Typos): Promise<number[]> {
  const conditions =
    typos === 'all'
      ? [looksLike(words.forgiven, words)]
      : words.forgiven.map((word) => looksLike([word], words));
  const condition = sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
  const found = await withIndexes(scope, async (tx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(SIMILARITY)}, true),
      set_config('statement_timeout', ${String(GUESS_MS)}, true)`.execute(tx);
    return rowsOf<Similar>(tx, sql`select v.id, v.search ${byIndex(scope, condition)} limit ${SIMILAR_MAX}`);
  }).catch((error): Similar[] => {
    if (isCanceled(error)) return [];
    throw error;
  });
  return meantIds(found, words, typos);
}

const meantIds = (similar: readonly Similar[], words: TypedWords, typos: Typos): number[] =>
  similar
    .filter(({ search: text }) => isMeantBy(text, words) && (typos === 'all' || isMistypedOnce(text, words)))
    .map(({ id }) => id);

/**
 * The ids of visitors whom the words may mean if one word is mistyped or, if that finds nobody, if each may be. The
 * correct words leave the index few visitors to compare; without them, thousands are similar.
 */
async function meantBy(scope: SearchScope, words: TypedWords): Promise<number[]> {
  const { db, limit, order, after } = scope;
  const newest = await rowsOf<Similar>(db, sql`select v.id, v.search ${inOrder(scope)} limit ${WALK}`);
  if (words.forgiven.length > 1) {
    const near = meantIds(newest, words, 'one');
    if (near.length >= limit) return near;
    // From the first page on, so that all pages belong to one list.
    const found = await similarIds({ ...scope, after: undefined }, words, 'one');
    if (found.length > 0)
      return found.filter((id) => after === undefined || (order === 'asc' ? id > after : id < after));
  }
  const near = meantIds(newest, words, 'all');
  return near.length >= limit ? near : similarIds(scope, words, 'all');
}

/** Visitors that the words may mean despite typos. Reads the newest first, in case the words are frequent. */
async function findMeant(scope: SearchScope, words: TypedWords): Promise<VisitorRow[]> {
  const { db, siteId, limit, order } = scope;
  const ids = await meantBy(scope, words);
  return rowsOf(
    db,
    sql`select v.* from visitors v
      where v.site_id = ${siteId} and v.id = any (${ids.slice(0, limit)}::bigint[]) and v.erased_at is null
      order by v.id ${sql.raw(order)}`,
  );
}

/**
 * Typos are considered only if there is no exact match, also on later pages, so that all pages belong to one list.
 */
export async function searchVisitors(scope: SearchScope, q: string): Promise<VisitorRow[]> {
  const text = await folded(scope.db, q);
  const exact = await findExact(scope, text);
  const words = exact.length === 0 ? typedWords(text) : undefined;
  if (!words) return exact;
  const first =
    scope.after === undefined ? [] : await findExact({ ...scope, after: undefined, limit: 1 }, text);
  return first.length === 0 ? findMeant(scope, words) : [];
}

/** The ids of visitors whose name contains the words, newest first. Exact, without typos. */
export async function visitorsCalled({ db, site }: SiteContext, q: string, limit: number): Promise<number[]> {
  const scope: SearchScope = {
    db,
    siteId: site.id,
    order: 'desc',
    after: undefined,
    limit,
    email: undefined,
    segment: undefined,
  };
  return (await findExact(scope, await folded(db, q))).map(({ id }) => id);
}

/** @throws AppError 404 */
export async function refuseUnknownSegment({
  db,
  siteId,
  segment,
}: Pick<SearchScope, 'db' | 'siteId' | 'segment'>): Promise<void> {
  if (segment === undefined) return;
  const { rows } = await sql`
    select from segments where site_id = ${siteId} and id = ${segment} and deleted_at is null`.execute(db);
  if (rows.length === 0) throw notFound('segment');
}

/** @throws AppError 404 for a segment that the site doesn't have. */
export async function listVisitors({ db, site }: SiteContext, find: Find): Promise<Page<Visitor>> {
  const { limit, cursor, order, email, segment, q } = find;
  const scope: SearchScope = {
    db,
    siteId: site.id,
    order,
    after: cursorId(cursor),
    limit: limit + 1,
    email,
    segment,
  };
  await refuseUnknownSegment(scope);
  const rows =
    q === undefined
      ? await rowsOf(db, sql`select v.* ${inOrder(scope)} limit ${scope.limit}`)
      : await searchVisitors(scope, q);
  const names = await segmentNames(db, site.id, rows);
  return pageOf(
    rows,
    limit,
    (row) => [row.id],
    (row) => presentVisitor(row, names),
  );
}
