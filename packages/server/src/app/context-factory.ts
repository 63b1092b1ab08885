import type { Logger } from 'pino';
import type { Actor } from '../core/actor.ts';
import { createContext, type Proof, type Services, type Site, type SiteContext } from '../core/context.ts';
import type { Emitted } from '../core/events.ts';
import type { Db } from '../db/database.ts';
import type { Replica } from '../db/replica/replica.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { SiteDirectory } from '../sites/directory.ts';

interface ContextOptions {
  /** Fields of every log line; the site by default. */
  about?: Record<string, unknown>;
  /** The caller's transaction to work in. */
  db?: Db;
  /** The address for the audit log. */
  address?: string;
  /** The key that limits count the caller by. */
  caller?: string | undefined;
  proof?: Proof;
  /** The clock for events in the past, such as the demo's chats. No job is queued for them. */
  past?: () => Date;
}

export type ContextFactory = (site: Site, actor: Actor, options?: ContextOptions) => SiteContext;

interface Sources {
  db: Db;
  replica: Replica | undefined;
  log: Logger;
  now: () => Date;
  services: Services;
  emitter: Emitted;
  send: JobQueue['send'];
}

const sendNothing = async (): Promise<void> => undefined;

/** Creates the context of each call from what the process shares. */
export function createContextFactory({
  db,
  replica,
  log,
  now,
  services,
  emitter,
  send,
}: Sources): ContextFactory {
  return (site, actor, options = {}) => {
    const { about = { site_id: site.id }, db: within, address, caller, proof, past } = options;
    return createContext(
      {
        site,
        actor,
        db: within ?? db,
        replica,
        log,
        about,
        ...(address === undefined ? {} : { address }),
        caller,
        proof,
        services,
        emitter,
        ...(past ? { now: past, send: sendNothing } : { now, send }),
      },
      // Inside a foreign transaction no notices are sent: the only such caller creates a site, which nobody can
      // know before the commit.
      within && [],
    );
  };
}

interface JobSources {
  sites: Pick<SiteDirectory, 'byId'>;
  contextFor: ContextFactory;
}

/** Contexts for work that no person asked for; undefined once the site is deleted. */
export const createJobContexts =
  ({ sites, contextFor }: JobSources) =>
  async (siteId: number): Promise<SiteContext | undefined> => {
    const site = await sites.byId(siteId);
    return site && contextFor(site, { kind: 'job' });
  };
