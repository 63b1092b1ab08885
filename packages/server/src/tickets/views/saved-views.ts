import {
  type OutputOf,
  type ParsedInputOf,
  type SavedView,
  type TicketFilter,
  type TicketSort,
  VIEW_LIMIT,
} from '@foyer/protocol';
import type { Selectable } from 'kysely';
import { notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { type Page, positionBehind, positionPage } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { areAgents } from '../../sites/agents/assignable.ts';
import { lockSite } from '../../sites/sites.ts';
import { countTickets } from './view-counts.ts';

const views = new SiteRecords('saved_views', 'saved view');

const DEFAULT_SORT: TicketSort = '-created';

type ViewRow = Selectable<Tables['saved_views']>;

const presentView = ({ id, name, filter, sort, position }: ViewRow, count = 0): SavedView => ({
  id,
  name,
  filter,
  sort,
  position,
  count,
});

async function withCount(ctx: SiteContext, row: ViewRow): Promise<SavedView> {
  const [count] = await countTickets(ctx, [row.filter]);
  return presentView(row, count);
}

/** A view's filter and order. @throws AppError 404, also for another site's. */
export async function filterOfView(
  ctx: SiteContext,
  id: number,
): Promise<{ filter: TicketFilter; sort: TicketSort }> {
  const { filter, sort } = await views.get(ctx, id);
  return { filter, sort };
}

/** By position, then id. */
async function viewPage(
  ctx: SiteContext,
  input: ParsedInputOf<'saved_views.list'>,
): Promise<Page<SavedView>> {
  const all = ctx.db.selectFrom('saved_views').selectAll().where('site_id', '=', ctx.site.id);
  const page = await positionPage(all, input);
  const counts = await countTickets(
    ctx,
    page.items.map(({ filter }) => filter),
  );
  return { ...page, items: page.items.map((row, at) => presentView(row, counts[at])) };
}

/** With `input.id` that view alone, or a 404; else by position, then id. Each has its count of tickets. */
export const listViews = async (
  ctx: SiteContext,
  input: ParsedInputOf<'saved_views.list'>,
): Promise<Page<SavedView> | SavedView> =>
  input.id === undefined ? viewPage(ctx, input) : withCount(ctx, await views.get(ctx, input.id));

/** Refuses assignees who are not agents of the site now. Existing views may still name a removed one. */
async function checkAssignee(ctx: SiteContext, filter: TicketFilter | undefined): Promise<void> {
  const id = filter?.assignee_id;
  if (typeof id === 'number' && !(await areAgents(ctx, [id]))) throw notFound('agent');
}

/**
 * Creates a view at its position, by default after the last.
 * @throws AppError 409 when the site has as many as it may have, 404 for an unknown assignee.
 */
export async function createView(
  ctx: SiteContext,
  { name, filter = {}, sort = DEFAULT_SORT, position }: ParsedInputOf<'saved_views.create'>,
): Promise<SavedView> {
  await checkAssignee(ctx, filter);
  const row = await ctx.transaction(async (tx) => {
    // Without the lock, two at once would both find room for one more.
    await lockSite(tx);
    const { count, last } = await tx.db
      .selectFrom('saved_views')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('position').as('last')])
      .where('site_id', '=', tx.site.id)
      .executeTakeFirstOrThrow();
    if (count >= VIEW_LIMIT) throw tooMany(VIEW_LIMIT, `A site can have at most ${VIEW_LIMIT} saved views.`);
    const place = position ?? positionBehind(last);
    return views.insert(tx, { name, filter: JSON.stringify(filter), sort, position: place });
  });
  return withCount(ctx, row);
}

/** @throws AppError 404, also for another site's. */
export async function updateView(
  ctx: SiteContext,
  { id, name, filter, sort, position }: ParsedInputOf<'saved_views.update'>,
): Promise<SavedView> {
  await checkAssignee(ctx, filter);
  const change = { name, filter: filter && JSON.stringify(filter), sort, position };
  return withCount(ctx, await views.update(ctx, id, change));
}

/** @throws AppError 404, also for another site's. */
export const deleteView = (ctx: SiteContext, id: number): Promise<OutputOf<'saved_views.delete'>> =>
  views.delete(ctx, id);
