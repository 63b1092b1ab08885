import type { Feedback, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { feedbackPage } from '../../conversations/logs.ts';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime, decodeCursor, type Page } from '../../db/keyset.ts';
import { createCalendar } from '../calendar.ts';
import { frameOf } from '../reading.ts';
import { nextDays, sourcesOf, sumsByDay } from './conversations.ts';

/** The individual ratings of these days with their comments, in order of time. */
export async function listComments(
  ctx: SiteContext,
  { rating, limit, cursor, order, ...span }: ParsedInputOf<'reports.comments'>,
): Promise<Page<Feedback>> {
  const { period, head } = await frameOf(ctx, span);
  const within = sql`
    l.created_at >= ${period.from}::timestamp at time zone ${head.time_zone}
      and l.created_at < (${period.to}::date + 1)::timestamp at time zone ${head.time_zone}
      and ${rating === undefined ? sql`true` : sql`l.rating = ${rating}`}`;
  const paging = { limit, cursor, order };
  if (period.teamId === undefined) return feedbackPage(ctx, within, paging);
  // Only the sums know which ratings are a team's: reading on until enough are a team's could read all of them.
  const figure = { figure: 'ratings', part: rating } as const;
  const newest = await sumsByDay(ctx, figure, period);
  const [ms] = decodeCursor(cursor, 2) ?? [];
  const at = ms === undefined ? undefined : createCalendar(head.time_zone, null).dayOf(cursorTime(ms));
  let left = (order === 'asc' ? newest.toReversed() : newest).filter(
    ([day]) => at === undefined || (order === 'asc' ? day >= at : day <= at),
  );
  const sessions: string[] = [];
  let page: Page<Feedback> = { items: [], next_cursor: null, limit };
  // The sums still have ratings that retention has deleted.
  for (let doubt = 1; left.length > 0 && page.next_cursor === null; doubt *= 2) {
    const next = nextDays(left, (limit + 1) * doubt);
    const sums = left.slice(0, next).flatMap(([, own]) => own);
    left = left.slice(next);
    sessions.push(...(await sourcesOf(ctx, sums, period)).map(({ record }) => record));
    page = await feedbackPage(ctx, sql`${within} and c.session_id = any (${sessions}::text[])`, paging);
  }
  return page;
}
