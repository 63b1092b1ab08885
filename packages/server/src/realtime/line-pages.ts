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

/** Keeps which pages visitors have open; it knows no line. */
export interface OpenPages {
  /** @returns undefined where there is nothing to leave later. */
  open(site: Site, actor: Visitor, page: ShownPage): Promise<number | undefined>;
  leave(site: Site, id: number): Promise<void>;
}

/** A page that shows another address more often than this, on the average, is not followed. */
const PAGES_PER_MINUTE = 60;

interface LinePages {
  show(page: ShownPage): void;
  end(): void;
}

/**
 * What one line's visitor looks at, one page after the other; whatever fails costs the visitor nothing.
 * @param at.visitor who that is by now: a guest may get a record between two pages
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
