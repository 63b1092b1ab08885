import type { InboxView, OutputOf, ParsedInputOf, ViewList, ViewTickets } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { audienceOf, inAudit, isVisible, presentAudience, shareVerb } from '../../sites/teams/visibility.ts';
import { checkAssignee } from '../../tickets/views/saved-views.ts';
import { countTickets } from '../../tickets/views/view-counts.ts';
import {
  changeView,
  insertView,
  lockView,
  removeView,
  roomFor,
  type ViewChange,
  type ViewRow,
} from '../../tickets/views/view-rows.ts';
import { countLists, hasCount } from './list-counts.ts';

// The desk's views: those of tickets, which REST offers too, and those of the inbox; shared, of teams, and private.

type Missing = InboxView['missing'];
type Row = ViewRow & { missing: Missing };

// `kind` says which of the two the columns hold, which TypeScript can't express for JSON.
const listIn = ({ kind, filter, sort }: ViewRow): ViewList | null =>
  kind === 'inbox' ? ({ ...filter, sort } as ViewList) : null;
const ticketsIn = ({ kind, filter, sort }: ViewRow): ViewTickets | null =>
  kind === 'tickets' ? ({ filter, sort } as ViewTickets) : null;

/** Parts of a filter that the site no longer has: the view finds nothing and should say why. */
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

/** The views that the caller sees, or one of them. */
async function rowsOf(ctx: SiteContext, id?: number): Promise<Row[]> {
  const isThis = id === undefined ? sql`true` : sql`v.id = ${id}`;
  const { rows } = await sql<Row>`
    select v.*, ${MISSING} as missing from saved_views v
    where v.site_id = ${ctx.site.id} and ${isVisible(ctx, 'v')} and ${isThis}
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
    ...presentAudience(row),
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

/** The views that the agent sees, by position, with their counts. */
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
 * Saves a list as a view.
 * @throws AppError 409 if the maximum is reached, 404 for an unknown assignee or team, 403 like `audienceOf`
 */
export async function createInboxView(
  ctx: SiteContext,
  { name, visibility, team_id, ...shows }: ParsedInputOf<'inbox_views.create'>,
): Promise<InboxView> {
  await checkAssignee(ctx, filterIn(shows));
  const { filter, sort } = stored(shows) ?? { filter: {}, sort: 'newest' as const };
  const kind = shows.list ? 'inbox' : 'tickets';
  const isShared = visibility !== 'private';
  return inAudit(ctx, { subject: 'saved_view', verb: 'create', isShared }, async (tx) => {
    const audience = await audienceOf(tx, { visibility, team_id });
    const { id } = await insertView(tx, { name, ...audience, kind, filter, sort });
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
 * Changes a view, or shares it with others.
 * @throws AppError 404, also for one that the agent doesn't see; 409 if its list was changed meanwhile, or if the
 * site has the maximum number of shared views; 403 like `audienceOf`
 */
export async function updateInboxView(
  ctx: SiteContext,
  input: ParsedInputOf<'inbox_views.update'>,
): Promise<InboxView> {
  const { id, name, position, visibility, team_id } = input;
  return ctx.transaction(async (tx) => {
    const audience = visibility && (await audienceOf(tx, { visibility, team_id }));
    const before = await lockView(tx, id);
    checkVersion(before, input);
    // A view that refers to a removed agent can still be changed otherwise.
    const filter = filterIn(input);
    if (filter?.assignee_id !== before.filter.assignee_id) await checkAssignee(tx, filter);
    const change: ViewChange = { name, position, ...stored(input), ...audience };
    const verb = shareVerb(before, audience);
    if (verb === 'create') change.position = await roomFor(tx, null);
    const isShared = before.owner_id === null || audience !== undefined;
    return inAudit(tx, { subject: 'saved_view', verb, isShared, input: { id } }, async (inner) => {
      await changeView(inner, before, change);
      return presentOne(inner, id);
    });
  });
}

/** @throws AppError 404, also for one that the agent doesn't see */
export const deleteInboxView = (ctx: SiteContext, id: number): Promise<OutputOf<'inbox_views.delete'>> =>
  ctx.transaction(async (tx) => {
    const row = await lockView(tx, id);
    const change = {
      subject: 'saved_view',
      verb: 'delete',
      isShared: row.owner_id === null,
      input: { id },
    } as const;
    return inAudit(tx, change, (inner) => removeView(inner, row));
  });
