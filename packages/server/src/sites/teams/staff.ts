import { isOpen, type Language, type OfficeHours, type Routing } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { mayAnswer } from '../agents/assignable.ts';

/** An agent as routing sees them. */
export interface StaffAgent {
  id: number;
  name: string;
  /** Their capacity for this kind of work. */
  limit: number;
  /** When routing last chose them, in seconds since 1970 with microseconds; null: never. */
  turn: number | null;
  languages: Language[];
  /** Ids of tags. */
  skills: number[];
  /** Ids of teams. */
  teams: number[];
}

interface StaffTeam {
  id: number;
  name: string;
  routing: Routing | null;
  office_hours: OfficeHours | null;
}

/** The work that routing assigns. Each kind has its own rules, capacities and turns. */
export type WorkKind = 'chats' | 'tickets';

/** Who may get the chats or the tickets of a site, and by which rules. */
export interface Staff {
  routing: Routing;
  fallbackAfterS: number | null;
  lastAgentFirst: boolean;
  agents: StaffAgent[];
  /** Those that get work: with members, and not archived. */
  teams: ReadonlyMap<number, StaffTeam>;
}

/** A chat or ticket as routing sees it. */
export interface RoutedWork {
  team_id: number | null;
  language: Language | null;
  /** Ids of its tags. */
  tags: number[];
  waiting_since: Date | null;
}

/** Who may get a chat or ticket, and why. */
export interface Offer {
  routing: Routing;
  agents: StaffAgent[];
  /** The language and tags that they were chosen by: null and none if those didn't matter. */
  language: Language | null;
  tags: number[];
  team: string | null;
  /** Its team is outside its own office hours: nobody gets it yet. */
  isClosed: boolean;
  /** It has waited so long that it is offered to everybody. */
  fellBack: boolean;
}

const COLUMNS = {
  chats: {
    routing: 'routing',
    fallback: 'team_fallback_after_s',
    limit: 'a.chat_limit',
    turn: 'a.last_routed_at',
    ofTeam: 't.routing',
  },
  tickets: {
    routing: 'ticket_routing',
    fallback: 'ticket_fallback_after_s',
    limit: 'a.ticket_limit',
    turn: 'a.last_ticket_routed_at',
    ofTeam: 't.ticket_routing',
  },
} as const;

/** Reads the site's team, in three queries. */
export async function loadStaff({ db, site }: SiteContext, kind: WorkKind): Promise<Staff> {
  const of = COLUMNS[kind];
  const rules = await db
    .selectFrom('sites')
    .select([`${of.routing} as routing`, `${of.fallback} as fallback_after_s`, 'last_agent_first'])
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow();
  const { rows: agents } = await sql<StaffAgent>`
    select a.id, a.name, ${sql.ref(of.limit)} as limit,
      extract(epoch from ${sql.ref(of.turn)})::float8 as turn, a.languages,
      array(select s.tag_id from agent_skills s where s.site_id = a.site_id and s.agent_id = a.id) as skills,
      array(select m.team_id from team_members m where m.site_id = a.site_id and m.agent_id = a.id) as teams
    from agents a
    where a.site_id = ${site.id} and a.removed_at is null and ${mayAnswer('a')} order by a.id`.execute(db);
  const { rows: teams } = await sql<StaffTeam>`
    select t.id, t.name, ${sql.ref(of.ofTeam)} as routing, t.office_hours from teams t
    where t.site_id = ${site.id} and t.archived_at is null
      and exists (select from team_members m where m.site_id = t.site_id and m.team_id = t.id)`.execute(db);
  return {
    routing: rules.routing,
    fallbackAfterS: rules.fallback_after_s,
    lastAgentFirst: rules.last_agent_first,
    agents,
    teams: new Map(teams.map((team) => [team.id, team])),
  };
}

/**
 * The agents among these who speak its language and know its tags. Requirements that none of them meets don't matter,
 * as nobody could ever get it otherwise; if nobody meets all, the language counts more.
 */
export function suited(agents: StaffAgent[], work: RoutedWork): Pick<Offer, 'agents' | 'language' | 'tags'> {
  const speak = agents.filter(({ languages }) => work.language !== null && languages.includes(work.language));
  const language = speak.length > 0 ? work.language : null;
  const able = language === null ? agents : speak;
  const tags = work.tags.filter((tag) => able.some(({ skills }) => skills.includes(tag)));
  const know = able.filter(({ skills }) => tags.every((tag) => skills.includes(tag)));
  return know.length > 0 ? { agents: know, language, tags } : { agents: able, language, tags: [] };
}

/** Whether a chat has waited so long that the site offers it to everybody. */
export const fallsBack = ({ fallbackAfterS }: Staff, { waiting_since }: RoutedWork, now: Date): boolean =>
  fallbackAfterS !== null &&
  waiting_since !== null &&
  waiting_since.getTime() <= now.getTime() - fallbackAfterS * 1000;

/**
 * Who may get a chat, online or not: for a chat of a team its members, and of them the suitable ones, until the site
 * offers it to everybody. A site that assigns no chats leaves those of a team to the team.
 */
export function offerOf(staff: Staff, work: RoutedWork, now: Date): Offer {
  const team = work.team_id === null ? undefined : staff.teams.get(work.team_id);
  const members = team ? staff.agents.filter(({ teams }) => teams.includes(team.id)) : staff.agents;
  const routing = team?.routing ?? staff.routing;
  const name = team?.name ?? null;
  if (fallsBack(staff, work, now)) {
    const agents = team && staff.routing === 'manual' ? members : staff.agents;
    return { routing, agents, language: null, tags: [], team: name, isClosed: false, fellBack: true };
  }
  const isClosed = team?.office_hours ? !isOpen(team.office_hours, now) : false;
  return { routing, ...suited(members, work), team: name, isClosed, fellBack: false };
}
