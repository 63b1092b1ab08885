import { job } from '../core/job.ts';
import { noteMailFailure } from '../mail/failures.ts';
import { sendMissedDigest } from './digest.ts';
import { pushTo } from './push.ts';

export const notificationJobs = [
  job({
    name: 'notifications.push',
    // Push services are rarely down for long, and an older alarm is useless: 15 minutes in all.
    retries: { limit: 6, delayS: 10, maxDelayS: 300 },
    workers: 8,
    run: pushTo,
  }),
  job({
    name: 'notifications.mail',
    // A mail server may be down for a night.
    retries: { limit: 12, delayS: 30, maxDelayS: 3_600 },
    run: sendMissedDigest,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'missed', error),
  }),
];
