import { type ListedVisitor, type ParsedInputOf, VISITOR_COUNT_MAX, type VisitorSort } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, cursorTime, decodeCursor, encodeCursor, type Page } from '../../db/keyset.ts';
import { refuseUnknownSegment } from '../list.ts';
import { presentVisitor, segmentNames } from '../present.ts';
import type { VisitorRow } from '../rows.ts';
import { searchVisitors } from '../search.ts';

/** How many visitors a page reads at most. If few match the filter, the list continues on the next page. */
const WALK = 5_000;

type List = ParsedInputOf<'visitors.list'>;
type VisitorFilter = Omit<List, 'limit' | 'cursor' | 'sort' | 'q'>;

export type ListedRow = VisitorRow & { chat_count: number; ticket_count: number };

/** `names` maps ids of the site's segments to names. The counts are those selected by `LISTED`. */
export const presentListed = (
  row: ListedRow,
  names: Parameters<typeof presentVisitor>[1],
): ListedVisitor => ({
  ...presentVisitor(row, names),
  verified_utc: row.verified_at?.toISOString() ?? null,
  blocked_utc: row.blocked_at?.toISOString() ?? null,
  event_count: row.event_count,
  chat_count: row.chat_count,
  ticket_count: row.ticket_count,
});

const isSet = (column: string, wanted: boolean): RawBuilder<SqlBool> =>
  sql`${sql.ref(column)} is ${wanted ? sql`not null` : sql`null`}`;

/** The filter as conditions on a visitor `v`. */
function conditionsOf(filter: VisitorFilter): RawBuilder<SqlBool>[] {
  const { segment, identity, verified, has_email, blocked, attribute } = filter;
  const all: (RawBuilder<SqlBool> | false)[] = [
    segment !== undefined && sql`${segment} = any (v.segment_ids)`,
    identity !== undefined && sql`(left(v.key, 5) = 'anon_') = ${identity === 'anonymous'}`,
    verified !== undefined && isSet('v.verified_at', verified),
    has_email !== undefined && isSet('v.email', has_email),
    blocked !== undefined && isSet('v.blocked_at', blocked),
    filter.first_seen_since !== undefined && sql`v.first_seen_at >= ${new Date(filter.first_seen_since)}`,
    filter.first_seen_until !== undefined && sql`v.first_seen_at < ${new Date(filter.first_seen_until)}`,
    filter.last_seen_since !== undefined && sql`v.last_seen_at >= ${new Date(filter.last_seen_since)}`,
    filter.last_seen_until !== undefined && sql`v.last_seen_at < ${new Date(filter.last_seen_until)}`,
    attribute !== undefined && sql`v.attributes -> ${attribute.name} is not null`,
    attribute?.value !== undefined &&
      sql`lower(v.attributes ->> ${attribute.name}) = lower(${attribute.value})`,
  ];
  return all.filter((one) => one !== false);
}

const joined = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;

/** Truncated to the precision of a cursor. */
const SEEN_AT = sql`date_trunc('milliseconds', v.last_seen_at)`;

interface Walk {
  order: RawBuilder<unknown>;
  beyond: RawBuilder<SqlBool>;
}

/** The visitors in an index's order, continuing after the last page. */
function walkOf(sort: VisitorSort, cursor: string | undefined): Walk {
  const isDown = sort.startsWith('-');
  const [direction, behind] = isDown ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const [at, id] = decodeCursor(cursor, 2) ?? [];
  const from = at === undefined ? undefined : cursorTime(at);
  if (sort.endsWith('created')) {
    return {
      order: sql`v.id ${direction}`,
      beyond: id === undefined ? sql`true` : sql`v.id ${behind} ${id}`,
    };
  }
  return {
    order: sql`v.last_seen_hour ${direction}, ${SEEN_AT} ${direction}, v.id ${direction}`,
    beyond:
      from === undefined
        ? sql`true`
        : sql`(v.last_seen_hour ${behind}= date_bin('1 hour', ${from}::timestamptz, '2000-01-01 00:00:00+00')
            and (${SEEN_AT}, v.id) ${behind} (${from}, ${id}))`,
  };
}

const upTo = (rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*)::int from (${rows} limit ${VISITOR_COUNT_MAX}) as counted)`;

/** The columns of a visitor `v`, with the list's counts. */
export const LISTED = sql<ListedRow>`v.*,
  ${upTo(sql`select from conversations c where c.site_id = v.site_id and c.visitor_id = v.id`)} as chat_count,
  ${upTo(sql`select from tickets t where t.site_id = v.site_id and t.requester_id = v.id`)} as ticket_count`;

interface Walked<Row> {
  rows: Row[];
  /** The next page's cursor; null on the last page. */
  next: string | null;
}

/** What a page has of each visitor `v`. */
type Columns<Row> = RawBuilder<Row>;

type WalkedRow = VisitorRow & { walked: number; end_at: Date; end_id: number; place: number | null };

async function walk<Row extends VisitorRow>(
  { db, site }: SiteContext,
  list: Omit<List, 'q'>,
  columns: Columns<Row>,
): Promise<Walked<Row>> {
  const { limit, cursor, sort, ...filter } = list;
  const conditions = conditionsOf(filter);
  const { order, beyond } = walkOf(sort, cursor);
  const most = conditions.length === 0 ? limit + 1 : WALK;
  // The rows that fit are kept whole: looking up each again by its id would cost four times as much.
  const { rows: found } = await sql<Row & WalkedRow>`
    with walk as materialized (
      select v.id, ${SEEN_AT} as at, case when ${joined(conditions)} then v end as visitor,
        row_number() over (order by ${order}) as place
      from visitors v where v.site_id = ${site.id} and v.erased_at is null and ${beyond}
      order by ${order} limit ${most}
    ), shown as (
      select place, visitor from walk where (visitor).id is not null order by place limit ${limit + 1}
    )
    select e.walked, e.at as end_at, e.id as end_id, s.place, l.*
    from (select count(*) over () as walked, at, id from walk order by place desc limit 1) e
    left join shown s on true
    left join lateral (select ${columns} from (select (s.visitor).*) v) l on true
    order by s.place`.execute(db);
  const [end] = found;
  const rows = found.filter(({ place }) => place !== null);
  const last = rows[limit - 1];
  if (rows.length > limit && last)
    return { rows: rows.slice(0, limit), next: encodeCursor([last.last_seen_at.getTime(), last.id]) };
  const goesOn = end !== undefined && end.walked === most && conditions.length > 0;
  return { rows, next: goesOn ? encodeCursor([end.end_at.getTime(), end.end_id]) : null };
}

/** The visitors that match both the search and the filter, newest first. */
async function searchAndFilter<Row extends VisitorRow>(
  ctx: SiteContext,
  q: string,
  list: Omit<List, 'q'>,
  columns: Columns<Row>,
): Promise<Walked<Row>> {
  const { limit, cursor, sort: _, ...filter } = list;
  const { db, site } = ctx;
  const scope = {
    db,
    siteId: site.id,
    order: 'desc',
    after: cursorId(cursor),
    limit: limit + 1,
    email: undefined,
    segment: filter.segment,
  } as const;
  const found = await searchVisitors(scope, q);
  const ids = found.slice(0, limit).map(({ id }) => id);
  const { rows } = await sql<Row>`
    select ${columns} from visitors v
    where v.site_id = ${site.id} and v.id = any (${ids}::bigint[]) and v.erased_at is null
      and ${joined(conditionsOf(filter))}
    order by v.id desc`.execute(db);
  const last = ids.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? encodeCursor([last]) : null };
}

/** A page of rows with these columns of a visitor `v`, for the desk's list and its export. */
export async function pageOfVisitors<Row extends VisitorRow>(
  ctx: SiteContext,
  { q, ...list }: List,
  columns: Columns<Row>,
): Promise<Walked<Row>> {
  await refuseUnknownSegment({ db: ctx.db, siteId: ctx.site.id, segment: list.segment });
  return q === undefined ? walk(ctx, list, columns) : searchAndFilter(ctx, q, list, columns);
}

/** @throws AppError 404 for a segment that the site doesn't have. */
export async function listAtDesk(ctx: SiteContext, list: List): Promise<Page<ListedVisitor>> {
  const { rows, next } = await pageOfVisitors(ctx, list, LISTED);
  const names = await segmentNames(ctx.db, ctx.site.id, rows);
  return { items: rows.map((row) => presentListed(row, names)), limit: list.limit, next_cursor: next };
}
