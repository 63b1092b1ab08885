import type { RecurringJob } from '../jobs/schedule.ts';
import { disableFailing, findDueNotices, findFailing, queueDisabledNotice } from './disabling.ts';

export const webhookClock: readonly RecurringJob[] = [
  { name: 'webhooks.disable_failing', everyMs: 60_000, due: findFailing, run: disableFailing },
  { name: 'webhooks.tell_disabled', everyMs: 5_000, due: findDueNotices, run: queueDisabledNotice },
];
