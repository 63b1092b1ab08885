import type { OutputOf, ParsedInputOf, SavedView, TicketFilter, TicketSort } from '@foyer/protocol';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { type Page, positionPage } from '../../db/keyset.ts';
import { areAgents } from '../../sites/agents/assignable.ts';
import { audienceOf, isVisible, presentAudience } from '../../sites/teams/visibility.ts';
import { countTickets } from './view-counts.ts';
import { changeView, getView, insertView, lockView, removeView, type ViewRow } from './view-rows.ts';

// REST offers only shared views of tickets, those of teams included. All others look as if they didn't exist.

const DEFAULT_SORT: TicketSort = '-created';

/** A view of tickets, whose filter and order have these types. */
type TicketView = ViewRow & { filter: TicketFilter; sort: TicketSort };

const isOfTickets = (row: ViewRow): row is TicketView => row.kind === 'tickets';

function ofTickets(row: ViewRow): TicketView {
  if (!isOfTickets(row)) throw notFound('saved view');
  return row;
}

function shared(row: ViewRow): TicketView {
  if (row.owner_id !== null) throw notFound('saved view');
  return ofTickets(row);
}

const presentView = (row: TicketView, count = 0): SavedView => ({
  id: row.id,
  name: row.name,
  filter: row.filter,
  sort: row.sort,
  position: row.position,
  ...presentAudience(row),
  count,
});

async function withCount(ctx: SiteContext, row: TicketView): Promise<SavedView> {
  const [count] = await countTickets(ctx, [row.filter]);
  return presentView(row, count);
}

/**
 * The filter and order of a view of tickets.
 * @throws AppError 404, also for another site's, or another agent's private view
 */
export async function filterOfView(
  ctx: SiteContext,
  id: number,
): Promise<{ filter: TicketFilter; sort: TicketSort }> {
  const { filter, sort } = ofTickets(await getView(ctx, id));
  return { filter, sort };
}

/** By position, then id. */
async function viewPage(
  ctx: SiteContext,
  input: ParsedInputOf<'saved_views.list'>,
): Promise<Page<SavedView>> {
  const all = ctx.db
    .selectFrom('saved_views')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where('owner_id', 'is', null)
    .where(isVisible(ctx, 'saved_views'))
    .where('kind', '=', 'tickets');
  const page = await positionPage(all, input);
  const rows = page.items.filter(isOfTickets);
  const counts = await countTickets(
    ctx,
    rows.map(({ filter }) => filter),
  );
  return { ...page, items: rows.map((row, at) => presentView(row, counts[at])) };
}

/** With `input.id` that view, or a 404; otherwise by position, then id. Each has its number of tickets. */
export const listViews = async (
  ctx: SiteContext,
  input: ParsedInputOf<'saved_views.list'>,
): Promise<Page<SavedView> | SavedView> =>
  input.id === undefined ? viewPage(ctx, input) : withCount(ctx, shared(await getView(ctx, input.id)));

/**
 * Refuses assignees who aren't agents of the site now. Existing views may still refer to a removed one.
 * @throws AppError 404
 */
export async function checkAssignee(
  ctx: SiteContext,
  filter: Pick<TicketFilter, 'assignee_id'> | undefined,
): Promise<void> {
  const id = filter?.assignee_id;
  if (typeof id === 'number' && !(await areAgents(ctx, [id]))) throw notFound('agent');
}

/**
 * Creates a view at the given position, by default after the last.
 * @throws AppError 409 if the site has the maximum number, 404 for an unknown assignee or team, 403 like `audienceOf`
 */
export async function createView(
  ctx: SiteContext,
  { name, filter = {}, sort = DEFAULT_SORT, position, ...choice }: ParsedInputOf<'saved_views.create'>,
): Promise<SavedView> {
  await checkAssignee(ctx, filter);
  const row = await ctx.transaction(async (tx) => {
    const audience = await audienceOf(tx, choice);
    return insertView(tx, { name, ...audience, kind: 'tickets', filter, sort, position });
  });
  return withCount(ctx, ofTickets(row));
}

/** @throws AppError 404, also for another site's; 403 like `audienceOf` */
export async function updateView(
  ctx: SiteContext,
  { id, visibility, team_id, ...change }: ParsedInputOf<'saved_views.update'>,
): Promise<SavedView> {
  await checkAssignee(ctx, change.filter);
  const row = await ctx.transaction(async (tx) => {
    const audience = visibility && (await audienceOf(tx, { visibility, team_id }));
    return changeView(tx, shared(await lockView(tx, id)), { ...change, ...audience });
  });
  return withCount(ctx, ofTickets(row));
}

/** @throws AppError 404, also for another site's. */
export const deleteView = (ctx: SiteContext, id: number): Promise<OutputOf<'saved_views.delete'>> =>
  ctx.transaction(async (tx) => removeView(tx, shared(await lockView(tx, id))));
