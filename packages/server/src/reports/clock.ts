import { sql } from 'kysely';
import type { RecurringJob } from '../jobs/schedule.ts';
import { countSite } from './counting.ts';

/** How soon a change appears in reports. */
const COUNT_EVERY_MS = 3_000;
/** If there are more marks, the remaining sites are found in later runs. */
const MARKS_LOOKED_AT = 10_000;

export const reportClock: readonly RecurringJob[] = [
  {
    name: 'reports.count',
    everyMs: COUNT_EVERY_MS,
    due: ({ limit }) => sql`
      select site_id as "siteId", site_id as id from (
        select site_id from (select site_id from report_dirty_records limit ${MARKS_LOOKED_AT}) marks
        union
        select site_id from report_sites where chats_below is not null or tickets_below is not null
      ) sites order by random() limit ${limit}`,
    run: (ctx) => countSite(ctx),
  },
];
