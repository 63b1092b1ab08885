import { job } from '../core/job.ts';
import { noteMailFailure } from '../mail/failures.ts';
import { sendMissedDigest } from './digest.ts';
import { pushTo } from './push.ts';

export const notificationJobs = [
  job({
    name: 'notifications.push',
    // Push services are seldom away for long, and what is older is no alarm any more: a quarter of an hour in all.
    retries: { limit: 6, delayS: 10, maxDelayS: 300 },
    workers: 8,
    run: pushTo,
  }),
  job({
    name: 'notifications.mail',
    // A mail server may be away for a night.
    retries: { limit: 12, delayS: 30, maxDelayS: 3_600 },
    run: sendMissedDigest,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'missed', error),
  }),
];
