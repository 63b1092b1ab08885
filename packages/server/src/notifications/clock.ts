import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { RecurringJob } from '../jobs/schedule.ts';
import { missedClock } from './digest.ts';
import { pushClock } from './push.ts';

/** Notifications not updated for this long leave the list. */
const KEPT_DAYS = 30;
const PRUNE_EVERY_MS = HOUR_MS;
/** Rows per statement, so that it is short. */
const PRUNED_AT_ONCE = 5_000;

const bound = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * DAY_MS);

export const notificationClock: readonly RecurringJob[] = [
  pushClock,
  missedClock,
  {
    name: 'notifications.prune',
    everyMs: PRUNE_EVERY_MS,
    due: ({ now, limit }) => sql`
      select distinct site_id as "siteId", site_id as id from notifications
      where happened_at < ${bound(now)} limit ${limit}`,
    async run(ctx) {
      const before = bound(ctx.now());
      const pruneSome = async (): Promise<boolean> => {
        const { numAffectedRows = 0n } = await sql`
          delete from notifications n where n.site_id = ${ctx.site.id} and n.id in (
            select id from notifications where site_id = ${ctx.site.id} and happened_at < ${before}
            limit ${PRUNED_AT_ONCE})`.execute(ctx.db);
        return numAffectedRows === BigInt(PRUNED_AT_ONCE);
      };
      while (await pruneSome());
      await sql`
        delete from digest_mails m where m.site_id = ${ctx.site.id} and m.made_at < ${before}`.execute(
        ctx.db,
      );
    },
  },
];
