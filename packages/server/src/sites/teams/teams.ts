import { type AgentRef, type OutputOf, type ParsedInputOf, TEAMS_MAX, type Team } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { AppError, notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { idPage } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../sites.ts';
import { afterHoursChanged } from './hours.ts';
import { setMembers } from './members.ts';
import { assertSharesNothing } from './visibility.ts';

// Desks reload teams with the agents.
const records = new SiteRecords('teams', 'team', { notice: { kind: 'agents' } });

type TeamRow = Selectable<Tables['teams']> & { lead_name: string | null; members: AgentRef[] };

const presentTeam = (row: TeamRow): Team => ({
  id: row.id,
  name: row.name,
  description: row.description,
  emoji: row.emoji,
  lead: row.lead_id === null ? null : { id: row.lead_id, name: row.lead_name ?? '' },
  members: row.members,
  office_hours: row.office_hours,
  routing: row.routing,
  ticket_routing: row.ticket_routing,
  archived_utc: row.archived_at?.toISOString() ?? null,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

const teamRows = ({ db, site }: SiteContext) =>
  db
    .selectFrom('teams as t')
    .leftJoin('agents as lead', (join) =>
      join.onRef('lead.site_id', '=', 't.site_id').onRef('lead.id', '=', 't.lead_id'),
    )
    .selectAll('t')
    .select('lead.name as lead_name')
    .select(
      sql<AgentRef[]>`coalesce((
        select json_agg(json_build_object('id', a.id, 'name', a.name) order by lower(a.name), a.id)
        from team_members m join agents a on a.site_id = m.site_id and a.id = m.agent_id
        where m.site_id = t.site_id and m.team_id = t.id), '[]')`.as('members'),
    )
    .where('t.site_id', '=', site.id);

/** @throws AppError 404, also for another site's. */
async function getTeam(ctx: SiteContext, id: number): Promise<Team> {
  const row = await teamRows(ctx)
    .where('t.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('team'));
  return presentTeam(row);
}

/** A page by id or, with `id`, that one. @throws AppError 404, also for another site's. */
export async function listTeams(
  ctx: SiteContext,
  { id, member_id, state, ...input }: ParsedInputOf<'teams.list'>,
): Promise<OutputOf<'teams.list'>> {
  if (id !== undefined) return getTeam(ctx, id);
  const all = teamRows(ctx)
    .$if(state !== 'all', (rows) => rows.where('t.archived_at', state === 'active' ? 'is' : 'is not', null))
    .$if(member_id !== undefined, (rows) =>
      rows.where(
        sql<boolean>`t.id in (
          select tm.team_id from team_members tm
          where tm.site_id = ${ctx.site.id} and tm.agent_id = ${member_id ?? null})`,
      ),
    );
  return idPage(all, input, presentTeam, 't.id');
}

async function assertRoom({ db, site }: SiteContext): Promise<void> {
  const { count } = await db
    .selectFrom('teams')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('site_id', '=', site.id)
    .executeTakeFirstOrThrow();
  if (count >= TEAMS_MAX) throw tooMany(TEAMS_MAX, `A site can have at most ${TEAMS_MAX} teams.`);
}

type Fields = Omit<ParsedInputOf<'teams.update'>, 'id'>;

/**
 * Members and lead, in the caller's transaction: the lead becomes a member, and a lead who is no longer a member is
 * removed as lead.
 */
async function setPeople(tx: SiteContext, id: number, { member_ids, lead_id }: Fields): Promise<void> {
  if (member_ids === undefined && lead_id === undefined) return;
  const { members, lead } = await getTeam(tx, id);
  const wanted = new Set(member_ids ?? members.map((member) => member.id));
  if (lead_id) wanted.add(lead_id);
  await setMembers(tx, id, [...wanted]);
  const kept = lead && wanted.has(lead.id) ? lead.id : null;
  await tx.db
    .updateTable('teams')
    .set({ lead_id: lead_id === undefined ? kept : lead_id, updated_at: tx.now() })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  await tx.emit({ notices: [{ kind: 'agents' }] });
}

/** @throws AppError 404 for somebody who isn't an agent, 409 for a name that is taken and for too many teams. */
export function createTeam(ctx: SiteContext, input: ParsedInputOf<'teams.create'>): Promise<Team> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    await assertRoom(tx);
    const now = tx.now();
    const { id } = await records.insert(tx, {
      name: input.name,
      description: input.description ?? '',
      emoji: input.emoji ?? null,
      office_hours: input.office_hours ? JSON.stringify(input.office_hours) : null,
      routing: input.routing ?? null,
      ticket_routing: input.ticket_routing ?? null,
      created_at: now,
      updated_at: now,
    });
    await setPeople(tx, id, input);
    if (input.office_hours) await afterHoursChanged(tx);
    return getTeam(tx, id);
  });
}

/** @throws AppError 404, also for another site's and for somebody who isn't an agent; 409 for a name that is taken. */
export function updateTeam(ctx: SiteContext, { id, ...input }: ParsedInputOf<'teams.update'>): Promise<Team> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const { archived_at: since } = await records.lock(tx, id);
    const { name, description, emoji, office_hours, routing, ticket_routing, archived } = input;
    const change = {
      name,
      description,
      emoji,
      office_hours: office_hours && JSON.stringify(office_hours),
      routing,
      ticket_routing,
      archived_at: archived === undefined ? undefined : archived ? (since ?? tx.now()) : null,
    };
    await records.update(tx, id, change, { updated_at: tx.now() });
    await setPeople(tx, id, input);
    if (office_hours !== undefined) await afterHoursChanged(tx);
    return getTeam(tx, id);
  });
}

async function assertUnused({ db, site }: SiteContext, id: number): Promise<void> {
  const { rows } = await sql`
    select where exists (select from conversations where site_id = ${site.id} and team_id = ${id})
      or exists (select from tickets where site_id = ${site.id} and team_id = ${id})`.execute(db);
  if (rows.length > 0)
    throw new AppError('conflict', 'Chats or tickets belong to this team. Archive it instead.', {
      reason: 'team_in_use',
    });
}

/** @throws AppError 404, also for another site's; 409 while chats, tickets, macros or views belong to it. */
export const deleteTeam = (ctx: SiteContext, id: number): Promise<OutputOf<'teams.delete'>> =>
  ctx.transaction(async (tx) => {
    await lockSite(tx);
    // An assignment of work to it holds a lock on it.
    await records.lockWhole(tx, id);
    await assertUnused(tx, id);
    await assertSharesNothing(tx, id);
    return records.delete(tx, id);
  });
