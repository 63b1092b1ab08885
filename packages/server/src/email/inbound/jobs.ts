import { job } from '../../core/job.ts';
import { processReceived } from './process.ts';
import { recordOutcome } from './received.ts';

/** Retries after 5, 10, 20 s … up to an hour: some hours in all, so that an outage of DNS loses no mail's proof. */
const RETRIES = { limit: 12, delayS: 5, maxDelayS: 3600 };

export const emailJobs = [
  job({
    name: 'email.process',
    retries: RETRIES,
    run: (ctx, { received_id }) => processReceived(ctx, received_id),
    async giveUp(ctx, { received_id }, error) {
      const detail = error instanceof Error ? error.message : undefined;
      await recordOutcome(ctx, received_id, { state: 'failed', reason: 'error', detail });
    },
  }),
];
