import { randomBytes } from 'node:crypto';
import type { Actor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import {
  keepPagesAlive,
  leaveAllPages,
  leavePage,
  openGuestPage,
  openPage,
  PAGES_ALIVE_MS,
  type ShownPage,
} from './pages.ts';

type Visitor = Extract<Actor, { kind: 'visitor' }>;

/** The open pages of visitors who are connected to this process. */
export interface PageViewBuffer {
  open(site: Site, actor: Visitor, page: ShownPage): Promise<number | undefined>;
  leave(site: Site, id: number): Promise<void>;
  /** Marks all of them as left, because this process no longer has their connections. */
  stop(): Promise<void>;
}

interface PageViewBufferOptions {
  db: Db;
  now(): Date;
  contextFor(site: Site, actor: Actor): SiteContext;
  onFailure(error: unknown): void;
}

/** Starts a timer that keeps the pages alive until `stop`. After `stop`, nothing is recorded. */
export function createPageViewBuffer({
  db,
  now,
  contextFor,
  onFailure,
}: PageViewBufferOptions): PageViewBuffer {
  const node = randomBytes(6).toString('hex');
  const atDoor = (site: Site): SiteContext => contextFor(site, { kind: 'job' });
  const alive = setInterval(() => void keepPagesAlive(db, node, now()).catch(onFailure), PAGES_ALIVE_MS);
  let isStopped = false;
  return {
    async open(site, { deviceId, guest, verified }, page) {
      if (isStopped) return undefined;
      if (guest) return openGuestPage(atDoor(site), { ...page, guest, verified, node });
      if (deviceId === null) return undefined;
      return openPage(atDoor(site), { ...page, deviceId, verified, node });
    },
    async leave(site, id) {
      if (!isStopped) await leavePage(atDoor(site), id);
    },
    async stop() {
      isStopped = true;
      clearInterval(alive);
      await leaveAllPages(db, node, now());
    },
  };
}
