import type { OfficeHours } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

interface Zoned {
  time_zone: string;
  office_hours: OfficeHours | null;
}

/** The time zone by whose days a site's reports count: that of its office hours, or else its own. */
export const timeZoneOf = ({ office_hours: hours, time_zone: own }: Zoned): string => hours?.time_zone ?? own;

/** Schedules a recount of every record in the site's new time zone. Does nothing if the zone is the same. */
export async function recountInTimeZone(db: Db, site: Zoned & { id: number }): Promise<void> {
  const zone = timeZoneOf(site);
  await sql`
    update report_sites r set time_zone = ${zone},
      chats_below = (select max(id) + 1 from conversations where site_id = ${site.id}),
      tickets_below = (select max(id) + 1 from tickets where site_id = ${site.id})
    where r.site_id = ${site.id} and r.time_zone <> ${zone}`.execute(db);
}
