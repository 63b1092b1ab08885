import type { Logger } from 'pino';
import type { Actor } from '../core/actor.ts';
import { createContext, type Services, type Site, type SiteContext } from '../core/context.ts';
import type { Emitted } from '../core/events.ts';
import type { Db } from '../db/database.ts';
import type { JobQueue } from '../jobs/queue.ts';

interface ContextOptions {
  /** What each log line names; the site by default. */
  about?: Record<string, unknown>;
  /** A transaction to work in, which the caller ends. */
  db?: Db;
  /** The address that the audit log records. */
  address?: string;
  /** Whose requests count together in limits. */
  caller?: string | undefined;
  /** The clock of something that is reported as past, such as the demo's chats. No job follows from it. */
  past?: () => Date;
}

export type ContextFactory = (site: Site, actor: Actor, options?: ContextOptions) => SiteContext;

interface Sources {
  db: Db;
  log: Logger;
  now: () => Date;
  services: Services;
  emitter: Emitted;
  send: JobQueue['send'];
}

const sendNothing = async (): Promise<void> => undefined;

/** Makes the context of each call from what the whole process shares. */
export function createContextFactory({ db, log, now, services, emitter, send }: Sources): ContextFactory {
  return (site, actor, options = {}) => {
    const { about = { site_id: site.id }, db: within, address, caller, past } = options;
    return createContext(
      {
        site,
        actor,
        db: within ?? db,
        log,
        about,
        ...(address === undefined ? {} : { address }),
        caller,
        services,
        emitter,
        ...(past ? { now: past, send: sendNothing } : { now, send }),
      },
      // Nobody gets the notices of a transaction from outside: its one caller creates a site, which nobody can know of
      // before the commit.
      within && [],
    );
  };
}
