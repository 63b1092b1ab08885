import type { InboxView, OutputOf, ParsedInputOf, ViewList, ViewTickets } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { checkAssignee } from '../../tickets/views/saved-views.ts';
import { countTickets } from '../../tickets/views/view-counts.ts';
import {
  changeView,
  inAudit,
  insertView,
  lockView,
  ownerOf,
  removeView,
  roomFor,
  type ViewChange,
  type ViewRow,
} from '../../tickets/views/view-rows.ts';
import { countLists, hasCount } from './list-counts.ts';

// The desk's views: those of tickets, which REST offers too, and those of the inbox; shared and private.

type Missing = InboxView['missing'];
type Row = ViewRow & { missing: Missing };

// `kind` says which of the two the columns hold, which TypeScript can't express for JSON.
const listIn = ({ kind, filter, sort }: ViewRow): ViewList | null =>
  kind === 'inbox' ? ({ ...filter, sort } as ViewList) : null;
const ticketsIn = ({ kind, filter, sort }: ViewRow): ViewTickets | null =>
  kind === 'tickets' ? ({ filter, sort } as ViewTickets) : null;

/** What a filter refers to and the site no longer has: the view finds nothing and should say why. */
const MISSING = sql<Missing>`array_remove(array[
  case when v.filter ->> 'tag' is not null and not exists (
    select from tags g where g.site_id = v.site_id and lower(g.name) = lower(v.filter ->> 'tag')) then 'tag' end,
  case when json_typeof(v.filter -> 'assignee_id') = 'number' and not exists (
    select from agents a where a.site_id = v.site_id and a.id = (v.filter ->> 'assignee_id')::bigint
      and a.removed_at is null) then 'assignee' end,
  case when json_typeof(v.filter -> 'team_id') = 'number' and not exists (
    select from teams m where m.site_id = v.site_id and m.id = (v.filter ->> 'team_id')::bigint) then 'team' end,
  case when json_typeof(v.filter -> 'segment') = 'number' and not exists (
    select from segments s where s.site_id = v.site_id and s.id = (v.filter ->> 'segment')::bigint
      and s.deleted_at is null) then 'segment' end,
  case when exists (
    select from json_array_elements(v.filter -> 'fields') c where not exists (
      select from fields f where f.site_id = v.site_id and f.applies_to in ('tickets', 'chats')
        and f.key = c ->> 'custom_field' and f.archived_at is null)) then 'field' end
], null)`;

/** The shared views and the caller's private ones, or one of them. */
async function rowsOf(ctx: SiteContext, id?: number): Promise<Row[]> {
  const owner = ownerOf(ctx) ?? 0;
  const isThis = id === undefined ? sql`true` : sql`v.id = ${id}`;
  const { rows } = await sql<Row>`
    select v.*, ${MISSING} as missing from saved_views v
    where v.site_id = ${ctx.site.id} and (v.owner_id is null or v.owner_id = ${owner}) and ${isThis}
    order by v.position, v.id`.execute(ctx.db);
  return rows;
}

async function present(ctx: SiteContext, rows: readonly Row[]): Promise<InboxView[]> {
  const parts = rows.map((row) => ({ row, list: listIn(row), tickets: ticketsIn(row) }));
  const counted = parts.filter(({ list }) => list && hasCount(list));
  const ofTickets = parts.filter(({ tickets }) => tickets);
  const [lists, tickets] = await Promise.all([
    countLists(
      ctx,
      counted.flatMap(({ list }) => list ?? []),
    ),
    countTickets(
      ctx,
      ofTickets.flatMap((part) => part.tickets?.filter ?? []),
    ),
  ]);
  const counts = new Map<number, number | undefined>([
    ...counted.map(({ row }, at) => [row.id, lists[at]] as const),
    ...ofTickets.map(({ row }, at) => [row.id, tickets[at]] as const),
  ]);
  return parts.map(({ row, ...shows }) => ({
    id: row.id,
    name: row.name,
    position: row.position,
    private: row.owner_id !== null,
    version: row.version,
    ...shows,
    count: counts.get(row.id) ?? null,
    missing: row.missing,
  }));
}

async function presentOne(ctx: SiteContext, id: number): Promise<InboxView> {
  const [view] = await present(ctx, await rowsOf(ctx, id));
  if (!view) throw notFound('saved view');
  return view;
}

/** The shared views and the agent's private ones, by position, with their counts. */
export const listInboxViews = async (ctx: SiteContext): Promise<OutputOf<'inbox_views.list'>> => ({
  views: await present(ctx, await rowsOf(ctx)),
});

type Shows = Pick<ParsedInputOf<'inbox_views.create'>, 'list' | 'tickets'>;

const stored = ({ list, tickets }: Shows): Pick<ViewRow, 'filter' | 'sort'> | undefined => {
  if (!list) return tickets;
  const { sort, ...filter } = list;
  return { filter, sort };
};

type Filter = ViewList | ViewTickets['filter'];
const filterIn = ({ list, tickets }: Shows): Filter | undefined => list ?? tickets?.filter;

/**
 * Saves a list as a private or shared view.
 * @throws AppError 409 if the maximum is reached, 404 for an unknown assignee
 */
export async function createInboxView(
  ctx: SiteContext,
  { name, private: isPrivate, ...shows }: ParsedInputOf<'inbox_views.create'>,
): Promise<InboxView> {
  await checkAssignee(ctx, filterIn(shows));
  const { filter, sort } = stored(shows) ?? { filter: {}, sort: 'newest' as const };
  const owner_id = (isPrivate ? ownerOf(ctx) : undefined) ?? null;
  const kind = shows.list ? 'inbox' : 'tickets';
  return inAudit(ctx, 'create', owner_id === null, undefined, async (tx) => {
    const { id } = await insertView(tx, { name, owner_id, kind, filter, sort });
    return presentOne(tx, id);
  });
}

function checkVersion({ version, kind }: ViewRow, input: ParsedInputOf<'inbox_views.update'>): void {
  if (!input.list && !input.tickets) return;
  if (input.version !== version)
    throw new AppError('conflict', 'Someone else changed this view in the meantime.', {
      reason: 'view_changed',
    });
  // A ticket view that REST lists must stay one.
  if (kind !== (input.list ? 'inbox' : 'tickets'))
    throw new AppError('conflict', 'A view of tickets can’t become one of the inbox, nor the reverse.');
}

/**
 * Changes a shared view or the agent's private one.
 * @throws AppError 404, also for another agent's private view; 409 if its list was changed meanwhile, or if the
 * team has the maximum number of shared views
 */
export async function updateInboxView(
  ctx: SiteContext,
  input: ParsedInputOf<'inbox_views.update'>,
): Promise<InboxView> {
  const { id, name, position, shared } = input;
  return ctx.transaction(async (tx) => {
    const last = shared ? await roomFor(tx, null) : undefined;
    const before = await lockView(tx, id);
    checkVersion(before, input);
    // A view that refers to a removed agent can still be changed otherwise.
    const filter = filterIn(input);
    if (filter?.assignee_id !== before.filter.assignee_id) await checkAssignee(tx, filter);
    const isNewToTeam = before.owner_id !== null && shared === true;
    const change: ViewChange = { name, position, ...stored(input) };
    if (isNewToTeam) Object.assign(change, { owner_id: null, position: last });
    const verb = isNewToTeam ? 'create' : 'update';
    return inAudit(tx, verb, before.owner_id === null || isNewToTeam, { id }, async (inner) => {
      await changeView(inner, before, change);
      return presentOne(inner, id);
    });
  });
}

/** @throws AppError 404, also for another agent's private view */
export const deleteInboxView = (ctx: SiteContext, id: number): Promise<OutputOf<'inbox_views.delete'>> =>
  ctx.transaction(async (tx) => {
    const row = await lockView(tx, id);
    return inAudit(tx, 'delete', row.owner_id === null, { id }, (inner) => removeView(inner, row));
  });
