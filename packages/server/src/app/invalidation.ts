import type { Logger } from 'pino';
import type { LanguageModels } from '../ai/site-models.ts';
import type { Notice } from '../core/domain-event.ts';
import type { StoredAddress } from '../core/public-address.ts';
import type { Db } from '../db/database.ts';
import { lastAsked } from '../realtime/last-asked.ts';
import type { Live } from '../realtime/live.ts';
import type { TeamFaces } from '../sites/agents/faces.ts';
import { standingOfAgents } from '../sites/agents/presence.ts';
import type { BlockCache } from '../sites/blocks/rules.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { TokenAuthenticator } from '../sites/tokens/token-authenticator.ts';
import type { DeliveryWorker } from '../webhooks/deliveries.ts';

export interface Caches {
  sites: SiteDirectory;
  tokens: TokenAuthenticator;
  faces: TeamFaces;
  models: Pick<LanguageModels, 'forget'>;
  blocks: BlockCache;
}

interface Invalidation {
  onNotice(siteId: number, notice: Notice): void;
  /** Changes may have been missed: reloads everything that is cached. */
  onGap(): void;
}

/**
 * Applies notices of any process: drops cached sites, tokens, faces and language models, and closes
 * sockets whose agent has lost rights.
 * @param live called with the first notice at the earliest
 */
export function createInvalidation(options: {
  db: Db;
  log: Logger;
  address: StoredAddress;
  caches: Caches;
  deliveries: DeliveryWorker | undefined;
  live(): Pick<Live, 'agentSockets' | 'presence'>;
}): Invalidation {
  const { db, log, address, caches, deliveries, live } = options;
  const { sites, tokens, faces, models, blocks } = caches;
  /** Without an id, the cached data of all sites. */
  const drop = (siteId?: number): void => {
    // The setup, which creates the first site, may have stored another one.
    void address.refresh().catch((error) => log.warn({ err: error }, 'reading the public address failed'));
    for (const cache of [sites, tokens, faces, models, blocks]) cache.forget(siteId);
  };
  const checkAgents = lastAsked(async (siteId: number) => {
    try {
      const standing = await standingOfAgents(db, siteId);
      const { agentSockets, presence } = live();
      agentSockets.check(siteId, standing);
      for (const [agentId, { presence: chosen }] of standing) presence.chose({ siteId, agentId }, chosen);
    } catch (error) {
      log.warn({ err: error }, 'checking the permissions of open sockets failed');
    }
  });
  return {
    onNotice(siteId, notice) {
      const { kind } = notice;
      if (kind === 'deliveries') deliveries?.wake();
      else if (kind === 'tokens') tokens.forget(siteId);
      else if (kind === 'site') drop(siteId);
      else if (kind === 'agents') {
        faces.forget(siteId);
        checkAgents(siteId);
      } else if (kind === 'signed_out') live().agentSockets.endUser(notice.userId);
    },
    onGap() {
      drop();
      deliveries?.wake();
      for (const siteId of live().agentSockets.sites()) checkAgents(siteId);
    },
  };
}
