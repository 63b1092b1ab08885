import { MINUTE_MS } from '@foyer/protocol/values/durations';
import type { FastifyBaseLogger } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Site } from '../core/context.ts';

type Visitor = Extract<Actor, { kind: 'visitor' }>;

interface ShownPage {
  url: string;
  title: string | null;
  referrer: string | null;
}

/** Stores which pages visitors have open. Knows nothing about connections. */
export interface OpenPages {
  /** @returns undefined if there is nothing to close later */
  open(site: Site, actor: Visitor, page: ShownPage): Promise<number | undefined>;
  leave(site: Site, id: number): Promise<void>;
}

/** A page that changes its address more often than this, on average, isn't followed. */
const PAGES_PER_MINUTE = 60;

interface LinePages {
  show(page: ShownPage): void;
  end(): void;
}

/**
 * Records the pages of one connection's visitor, one after another. Errors don't affect the visitor.
 * @param at.visitor the visitor now: a guest may get a record between two pages
 */
export function followPages(
  pages: OpenPages,
  { site, visitor, log }: { site: Site; visitor: () => Visitor; log: FastifyBaseLogger },
): LinePages {
  let open: number | undefined;
  let before: Promise<void> = Promise.resolve();
  let [shown, since] = [0, Date.now()];
  const then = (step: () => Promise<void>): void => {
    before = before.then(step).catch((error) => log.warn({ err: error }, 'recording a page view failed'));
  };
  const leave = async (): Promise<void> => {
    const left = open;
    open = undefined;
    if (left !== undefined) await pages.leave(site, left);
  };
  return {
    show(page) {
      if (Date.now() - since > MINUTE_MS) [shown, since] = [0, Date.now()];
      if (++shown > PAGES_PER_MINUTE || page.url === '') return;
      then(async () => {
        await leave();
        open = await pages.open(site, visitor(), page);
      });
    },
    end: () => then(leave),
  };
}
