import type { OfficeHours, OfficeTrigger } from '@foyer/protocol';
import { isOpen } from '@foyer/protocol';
import { nextChange } from '@foyer/protocol/values/office-clock';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { hoursFor, officeHoursOf } from '../../sites/teams/hours.ts';

const isAsWanted = (on: OfficeTrigger, hours: OfficeHours | null, at: Date): boolean =>
  (hours === null || isOpen(hours, at)) === (on === 'office_opened');

/** Whether the last change of these hours within a time led to the wanted state. */
function hasChanged(
  on: OfficeTrigger,
  hours: OfficeHours,
  { from, until }: { from: Date; until: Date },
): boolean {
  const change = nextChange(hours, from);
  return change !== null && change <= until && isAsWanted(on, hours, until);
}

/**
 * The chats whose office hours have begun, or ended, after `from` and at the latest at `until`, unless they have
 * changed back since.
 * @param ofChats which chats count
 */
export async function chatsOfChange(
  tx: SiteContext,
  on: OfficeTrigger,
  ofChats: RawBuilder<unknown>,
  span: { from: Date; until: Date },
): Promise<{ ticket_id: null; session_id: string }[]> {
  const { site, teams } = await officeHoursOf(tx);
  const changed = [...teams].flatMap(([id, hours]) => (hasChanged(on, hours, span) ? [id] : []));
  const hasSiteChanged = site !== null && hasChanged(on, site, span);
  if (changed.length === 0 && !hasSiteChanged) return [];
  const { rows } = await sql<{ ticket_id: null; session_id: string }>`
    select null as ticket_id, session_id from conversations
    where site_id = ${tx.site.id} and ${ofChats} and snoozed_until is null
      and case when team_id = any (${[...teams.keys()]}::bigint[]) then team_id = any (${changed}::bigint[])
        else ${hasSiteChanged}::boolean end
    order by id`.execute(tx.db);
  return rows;
}

/** When the hours of the site or of a team change next; null if they never do. */
export async function nextChangeOf(tx: SiteContext): Promise<Date | null> {
  const { site, teams } = await officeHoursOf(tx);
  const changes = [...teams.values(), site].flatMap((hours) => (hours && nextChange(hours, tx.now())) ?? []);
  return changes.length === 0 ? null : new Date(Math.min(...changes.map(Number)));
}

/** Whether the hours of a team, or else of the site, are in the trigger's state. */
export async function isInState(tx: SiteContext, on: OfficeTrigger, teamId: number | null): Promise<boolean> {
  return isAsWanted(on, hoursFor(await officeHoursOf(tx), teamId), tx.now());
}
