import type { OfficeHours } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The zone whose days the reports of a site count by; UTC without office hours. */
export const timeZoneOf = (hours: OfficeHours | null): string => hours?.time_zone ?? 'UTC';

/** Schedules a recount of every record by the days of the site's new time zone; does nothing when it is the same. */
export async function recountInTimeZone(db: Db, siteId: number, hours: OfficeHours | null): Promise<void> {
  const zone = timeZoneOf(hours);
  await sql`
    update report_sites r set time_zone = ${zone},
      chats_below = (select max(id) + 1 from conversations where site_id = ${siteId}),
      tickets_below = (select max(id) + 1 from tickets where site_id = ${siteId})
    where r.site_id = ${siteId} and r.time_zone <> ${zone}`.execute(db);
}
