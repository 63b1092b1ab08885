import type { SiteContext } from './context.ts';
import type { JobData, JobName } from './job-data.ts';

/** How a job that failed is tried again: after `delayS`, then twice that, and so on, at most `maxDelayS`. */
interface JobRetries {
  limit: number;
  delayS: number;
  maxDelayS: number;
}

export interface JobDefinition<N extends JobName = JobName> {
  name: N;
  /** Left out: five times within half a minute. */
  retries?: JobRetries;
  /** How many of it a process runs at once; left out: four. More for what waits on others rather than on us. */
  workers?: number;
  /** How long it may take, in seconds, when that is not a minute: for one that can't begin again every minute. */
  expireS?: number;
  run(ctx: SiteContext, data: JobData<N>): Promise<void>;
  /** Runs once the last retry has thrown; a process that dies during that retry never gets here. */
  giveUp?(ctx: SiteContext, data: JobData<N>): Promise<void>;
}

export function job<N extends JobName>(definition: JobDefinition<N>): JobDefinition<N> {
  return definition;
}
