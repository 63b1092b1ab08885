import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { RecurringJob } from '../jobs/schedule.ts';
import { disabledRuleClock } from './disabling.ts';
import { ruleLooks } from './engine/looks.ts';
import { runRuleEvent } from './engine/run-event.ts';

/** How soon after a change its rules run. */
const RUN_EVERY_MS = 500;
/** How long the log keeps a run. */
const KEPT_DAYS = 30;
const PRUNED_AT_ONCE = 1_000;

/** Stored changes are polled, not queued: usually there is none, and then this reads an empty index. */
export const ruleClock: readonly RecurringJob[] = [
  {
    name: 'rules.run',
    everyMs: RUN_EVERY_MS,
    due: ({ limit }) => sql`
      select site_id as "siteId", id from rule_events order by id limit ${limit}`,
    run: runRuleEvent,
  },
  {
    name: 'rules.forget_runs',
    everyMs: HOUR_MS,
    due: ({ now, limit }) => {
      const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
      return sql`
        select site_id as "siteId", id from rule_runs
        where created_at < ${before} order by created_at limit ${limit}`;
    },
    // Deletes as many of the site as are due together, so the runs for its other due ones find nothing left.
    async run(ctx) {
      const { db, site } = ctx;
      const before = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS);
      await sql`
        delete from rule_runs where (site_id, id) in (
          select site_id, id from rule_runs where site_id = ${site.id} and created_at < ${before}
          order by created_at limit ${PRUNED_AT_ONCE})`.execute(db);
    },
  },
  disabledRuleClock,
  ruleLooks,
];
