import { job } from '../core/job.ts';
import { noteMailFailure } from '../mail/failures.ts';
import { notifyAdmin } from './disabling.ts';
import { sendDeadAgain } from './resend.ts';

export const webhookJobs = [
  job({ name: 'webhooks.resend_dead', run: sendDeadAgain }),
  job({
    name: 'webhooks.tell_admin',
    // A mail server may be down for a night.
    retries: { limit: 12, delayS: 30, maxDelayS: 3_600 },
    run: notifyAdmin,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'webhook_disabled', error),
  }),
];
