import { batchJob } from '../../core/job.ts';
import { processReceived } from './process.ts';
import { recordOutcomes } from './received.ts';

/** Retries after 5, 10, 20 s … up to an hour: some hours in all, so that an outage of DNS loses no mail's proof. */
const RETRIES = { limit: 12, delayS: 5, maxDelayS: 3600 };
/** More save little, and delay each of them. */
const BATCH = 20;

export const emailJobs = [
  batchJob({
    name: 'email.process',
    retries: RETRIES,
    batch: BATCH,
    async runBatch(ctx, list) {
      const ids = list.map(({ received_id }) => received_id);
      const failures = await processReceived(ctx, ids);
      return ids.map((id) => failures.get(id));
    },
    async giveUp(ctx, { received_id }, error) {
      const detail = error instanceof Error ? error.message : undefined;
      await recordOutcomes(ctx, [{ id: received_id, state: 'failed', reason: 'error', detail }]);
    },
  }),
];
