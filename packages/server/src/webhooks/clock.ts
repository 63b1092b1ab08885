import type { RecurringJob } from '../jobs/schedule.ts';
import { disableFailing, dueNotices, failing, queueDisabledNotice } from './disabling.ts';

export const webhookClock: readonly RecurringJob[] = [
  { name: 'webhooks.disable_failing', everyMs: 60_000, due: failing, run: disableFailing },
  { name: 'webhooks.tell_disabled', everyMs: 5_000, due: dueNotices, run: queueDisabledNotice },
];
