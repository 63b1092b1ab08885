import type { SiteContext } from './context.ts';
import type { JobData, JobName } from './job-data.ts';

/** How a failed job is retried: after `delayS` seconds, then twice that, and so on, at most `maxDelayS`. */
interface JobRetries {
  limit: number;
  delayS: number;
  maxDelayS: number;
}

interface JobSettings<N extends JobName> {
  name: N;
  /** Default: five retries within half a minute. */
  retries?: JobRetries;
  /** Concurrency per process (default 4). Raise it for I/O-bound jobs. */
  workers?: number;
  /** Time limit in seconds (default 60). Set it higher for a job that can't start over every minute. */
  expireS?: number;
  /** Runs after the last retry has failed. A process that dies during that retry never calls it. */
  giveUp?(ctx: SiteContext, data: JobData<N>, error: unknown): Promise<void>;
}

/** A job that runs alone. */
interface SingleJob<N extends JobName> extends JobSettings<N> {
  run(ctx: SiteContext, data: JobData<N>): Promise<void>;
}

/** A job that runs together with waiting jobs of the same site, because that costs less. */
interface BatchJob<N extends JobName> extends JobSettings<N> {
  /** The most jobs that run together. */
  batch: number;
  /** @returns the errors of those that failed, at their places in the list; throwing fails all */
  runBatch(ctx: SiteContext, list: readonly JobData<N>[]): Promise<readonly unknown[]>;
}

export type JobDefinition<N extends JobName = JobName> = SingleJob<N> | BatchJob<N>;

/** Returns the definition unchanged; it only ties the type of `data` to the job's name. */
export function job<N extends JobName>(definition: SingleJob<N>): SingleJob<N> {
  return definition;
}

/** The same for a job that runs with others. */
export function batchJob<N extends JobName>(definition: BatchJob<N>): BatchJob<N> {
  return definition;
}
