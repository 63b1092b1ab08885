import type { SiteContext } from './context.ts';
import type { JobData, JobName } from './job-data.ts';

/** How a failed job is retried: after `delayS` seconds, then twice that, and so on, at most `maxDelayS`. */
interface JobRetries {
  limit: number;
  delayS: number;
  maxDelayS: number;
}

export interface JobDefinition<N extends JobName = JobName> {
  name: N;
  /** Default: five retries within half a minute. */
  retries?: JobRetries;
  /** Concurrency per process (default 4). Raise it for I/O-bound jobs. */
  workers?: number;
  /** Time limit in seconds (default 60). Set it higher for a job that can't start over every minute. */
  expireS?: number;
  run(ctx: SiteContext, data: JobData<N>): Promise<void>;
  /** Runs after the last retry has failed. A process that dies during that retry never calls it. */
  giveUp?(ctx: SiteContext, data: JobData<N>, error: unknown): Promise<void>;
}

/** Returns the definition unchanged; it only ties the type of `data` to the job's name. */
export function job<N extends JobName>(definition: JobDefinition<N>): JobDefinition<N> {
  return definition;
}
