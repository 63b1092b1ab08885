import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { VisitorRow } from './rows.ts';
import {
  indexedNumbers,
  isLongNumber,
  isMeantBy,
  isMistypedOnce,
  numberedPart,
  partsOf,
  type Slips,
  slipsOf,
  type TypedWords,
  termOf,
  typedWords,
  wholeWords,
} from './search-terms.ts';
import { indexedFor } from './typing-errors.ts';

/** A search checks this many of the newest visitors one by one before it uses an index. */
const WALK = 2_000;
/** Searches that no index supports look only at this many of the newest. */
const ODD_WALK = 20_000;
/** How many visitors found by the index of typos are checked, newest first. */
const SIMILAR_MAX = 5_000;
/** If a large part of all visitors has such a word, but few of the newest, then only those are found. */
const GUESS_MS = 1_500;
const CANCELED = '57014';

export interface SearchScope {
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
export function inOrder(scope: SearchScope): RawBuilder<unknown> {
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

/** Those of the site's visitors whom an index finds, however many the planner expects. */
function amongFound(scope: SearchScope, found: Condition): RawBuilder<unknown> {
  const { siteId, order, after, email, segment } = scope;
  const step = order === 'asc' ? sql`>` : sql`<`;
  return sql`from (
      select v.* from visitors v where v.erased_at is null and ${found} offset 0
    ) as v
    where v.site_id = ${siteId}
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

const byIndex = (scope: SearchScope, condition: Condition): RawBuilder<unknown> =>
  amongFound(scope, sql`v.site_id = ${scope.siteId} and ${condition}`);

/** The rows of a statement, by default visitors. */
export async function rowsOf<Row = VisitorRow>(db: Db, query: RawBuilder<unknown>): Promise<Row[]> {
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
 * @throws PostgreSQL's error if a statement takes longer than `mostMs`
 */
const withIndexes = <T>({ db }: SearchScope, work: (db: Db) => Promise<T>, mostMs?: number): Promise<T> => {
  const limit =
    mostMs === undefined ? sql`` : sql`, set_config('statement_timeout', ${String(mostMs)}, true)`;
  const inside = async (tx: Db): Promise<T> => {
    await sql`select set_config('enable_seqscan', 'off', true)${limit}`.execute(tx);
    return work(tx);
  };
  return db.isTransaction ? inside(db) : db.transaction().execute(inside);
};

/** Visitors who have one of these as a word, or of whose words one letter less leaves it, and few others. */
const hasOneOf = ({ siteId }: SearchScope, words: readonly string[]): Condition =>
  sql`visitor_typo_keys(v.site_id, v.search) &&
    array(select (hashtextextended(word, ${siteId}) >> 32)::int from unnest(${words}::text[]) as word)`;

/**
 * The index has the site in its entries. With a condition on the site as well, the planner, which has no statistics of
 * them, would also read the ids of all visitors of a site that has less than a hundredth of all.
 * @param conditions at least one, each by `hasOneOf`
 */
const byWords = (scope: SearchScope, conditions: readonly Condition[]): RawBuilder<unknown> =>
  amongFound(scope, sql`v.search !~ '^   anon_[a-z0-9_-]*$' and ${sql.join(conditions, sql` and `)}`);

/**
 * Visitors among whom all exact matches are, by an index. The index of parts of words reads the entries of each three
 * letters in a row, some of which most visitors have. So whole words, or a part with a long number, are looked up alone,
 * if the text has them.
 */
function matchesAndOthers(scope: SearchScope, search: string, matches: Condition): RawBuilder<unknown> {
  const whole = wholeWords(search).map((word) => hasOneOf(scope, [word]));
  if (whole.length > 0) return byWords(scope, whole);
  const part = numberedPart(search);
  return byIndex(scope, part === undefined ? matches : sql`v.search like ${`%${escaped(part)}%`}`);
}

/** Exact matches: by reading the newest if the text is frequent, by an index if it is rare. */
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
  const found = matchesAndOthers(scope, search, matches);
  return withIndexes(scope, (tx) =>
    rowsOf(tx, sql`select v.* from (select v.* ${found}) as v where ${matches} limit ${limit}`),
  );
}

const isCanceled = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === CANCELED;

type Similar = Pick<VisitorRow, 'id' | 'search'>;

/** Those of the newest visitors whom the words may mean. */
async function newestMeant(scope: SearchScope, words: TypedWords, slips: Slips): Promise<Similar[]> {
  const parts = words.forgiven.map((word): Condition => {
    const patterns = partsOf(word, slipsOf(word, slips)).map((part) => `%${escaped(part)}%`);
    return sql`v.search like any (${patterns}::text[])`;
  });
  const rows = await rowsOf<Similar>(
    scope.db,
    sql`select v.id, v.search from (select v.* ${inOrder(scope)} limit ${WALK}) as v
      where ${sql.join(parts, sql` and `)}`,
  );
  return rows.filter(({ search }) => isMeantBy(search, words, slips));
}

/** Those whom the words may mean, from the first page on, by the index; none if there are too many. */
async function allMeant(scope: SearchScope, words: TypedWords, slips: Slips): Promise<Similar[]> {
  const mayHaveTwo = (word: string): boolean => slipsOf(word, slips) === 2;
  // A long number leads to few visitors without the thousand lookups of two typos.
  const looked = words.numbers.some(isLongNumber)
    ? words.forgiven.filter((word) => !mayHaveTwo(word))
    : words.forgiven;
  const conditions = [
    ...indexedFor(looked, mayHaveTwo).map((some) => hasOneOf(scope, some)),
    ...indexedNumbers(words).map((number) => hasOneOf(scope, [number])),
  ];
  const found = sql`select v.id, v.search ${byWords({ ...scope, after: undefined }, conditions)} limit ${SIMILAR_MAX}`;
  const rows = await withIndexes(scope, (tx) => rowsOf<Similar>(tx, found), GUESS_MS).catch(
    (error): Similar[] => {
      if (isCanceled(error)) return [];
      throw error;
    },
  );
  return rows.filter(({ search }) => isMeantBy(search, words, slips));
}

/**
 * Whom the words may mean with so many typos in a word: if one of the words is mistyped or, if that finds nobody, if
 * each may be. From all pages, so that they belong to one list, unless the newest are enough for this one.
 */
async function meantWith(scope: SearchScope, words: TypedWords, slips: Slips): Promise<Similar[]> {
  const once = (found: Similar[]): Similar[] => found.filter(({ search }) => isMistypedOnce(search, words));
  const newest = await newestMeant(scope, words, slips);
  const near = once(newest);
  if (near.length >= scope.limit) return near;
  const found = await allMeant(scope, words, slips);
  const those = once(found);
  if (those.length > 0) return those;
  return found.length > 0 ? found : newest;
}

/** Visitors that the words may mean despite typos: with as few in each word as find anybody. */
async function findMeant(scope: SearchScope, words: TypedWords): Promise<VisitorRow[]> {
  const { db, siteId, limit, order, after } = scope;
  let meant = await meantWith(scope, words, 1);
  if (meant.length === 0 && words.forgiven.some((word) => slipsOf(word, 2) === 2))
    meant = await meantWith(scope, words, 2);
  const ids = meant
    .map(({ id }) => id)
    .filter((id) => after === undefined || (order === 'asc' ? id > after : id < after));
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
