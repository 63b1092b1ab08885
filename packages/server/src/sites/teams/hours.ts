import { isOpen, type OfficeHours } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { renewSlas } from '../sla-version.ts';

/** The hours of a site, and of its teams that have their own. */
export interface SiteHours {
  /** Null: always open. */
  site: OfficeHours | null;
  teams: ReadonlyMap<number, OfficeHours>;
}

/** Read in the caller’s transaction, so that a change of hours and what follows from it agree. */
export async function officeHoursOf({ db, site }: Pick<SiteContext, 'db' | 'site'>): Promise<SiteHours> {
  const { rows } = await sql<{ hours: OfficeHours | null; teams: { id: number; hours: OfficeHours }[] }>`
    select office_hours as hours, (
      select coalesce(json_agg(json_build_object('id', id, 'hours', office_hours)), '[]') from teams
      where site_id = ${site.id} and office_hours is not null) as teams
    from sites where id = ${site.id}`.execute(db);
  const [found] = rows;
  return {
    site: found?.hours ?? null,
    teams: new Map(found?.teams.map(({ id, hours }) => [id, hours])),
  };
}

/** The hours that apply to work of this team or, with null, of none. */
export const hoursFor = ({ site, teams }: SiteHours, teamId: number | null): OfficeHours | null =>
  (teamId === null ? undefined : teams.get(teamId)) ?? site;

/** Who is open at this moment: the teams with hours of their own, and everybody else. */
export const openTeams = ({ site, teams }: SiteHours, at: Date) => ({
  withHours: [...teams.keys()],
  open: [...teams].flatMap(([id, hours]) => (isOpen(hours, at) ? [id] : [])),
  isOpen: site === null || isOpen(site, at),
});

/**
 * Updates everything that depends on office hours after they change, in the same transaction: due times are computed
 * again, and rules that wait for an opening or closing are scheduled again. What the new hours would have changed in
 * the past triggers nothing.
 */
export async function afterHoursChanged(tx: SiteContext): Promise<void> {
  await renewSlas(tx);
  await sql`
    update rules set looked_at = ${tx.now()}, look_at = ${tx.now()}
    where site_id = ${tx.site.id} and enabled_at is not null
      and events && '{office_opened,office_closed}'::text[]`.execute(tx.db);
}
