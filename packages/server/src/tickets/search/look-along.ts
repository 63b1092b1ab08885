import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { loadTickets, type PageChoice, type TicketRow } from '../tickets.ts';

/** How many tickets of a list a page reads. Then it ends, and the next continues there. */
const LOOKED_AT = 2_000;

interface Looked {
  rows: TicketRow[];
  /** The last ticket that was read, if rows are missing and there may be more after it. */
  end?: TicketRow | undefined;
}

/** The tickets of a list that match conditions without an index: most of the rows read may not match. */
export async function lookAlong(
  ctx: SiteContext,
  { from = sql`tickets t`, where, order, walk = order, limit }: PageChoice,
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<Looked> {
  const along = sql`select t.* from ${from} where ${where} order by ${walk}`;
  const rows = await loadTickets(ctx, {
    from: sql`(${along} limit ${LOOKED_AT}) t`,
    where: sql`${sql.join(conditions, sql` and `)}`,
    order,
    limit,
  });
  if (rows.length === limit) return { rows };
  const last = sql`(${along} offset ${LOOKED_AT - 1} limit 1) t`;
  const [end] = await loadTickets(ctx, { from: last, where: sql`true`, order, limit: 1 });
  return { rows, end };
}
