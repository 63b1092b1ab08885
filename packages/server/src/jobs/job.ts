import type { SiteContext } from '../context.ts';

/** What each job carries; the site is added by `ctx.enqueue` and travels with it. */
export interface Jobs {
  'bot.answer': { session_id: string };
}

export type JobName = keyof Jobs;
export type JobData<N extends JobName> = Jobs[N];

export interface JobOptions {
  /** Of jobs with the same key only one waits at a time; one that has begun does not keep the next from waiting. */
  key?: string;
  startAfterS?: number;
}

export interface JobDefinition<N extends JobName = JobName> {
  name: N;
  run(ctx: SiteContext, data: JobData<N>): Promise<void>;
}

export function job<N extends JobName>(definition: JobDefinition<N>): JobDefinition<N> {
  return definition;
}
