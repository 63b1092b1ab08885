import type { FastifyInstance } from 'fastify';
import type { Actor, Services, Site, SiteContext } from './context.ts';
import { registerMailOff } from './http/mail-off.ts';
import { readMailOff, turnMailOff } from './notifications/mail-off.ts';
import { deskLanguageOf } from './notifications/sentences.ts';
import type { SiteDirectory } from './sites/directory.ts';

export interface MailOffDoorOptions {
  sites: Pick<SiteDirectory, 'byId'>;
  services: Pick<Services, 'derivedToken'>;
  contextFor(site: Site, actor: Actor): SiteContext;
  now(): Date;
}

/** The link that ends mails about what was missed, joined to its domain. */
export async function registerMailOffDoor(
  server: FastifyInstance,
  { sites, services, contextFor, now }: MailOffDoorOptions,
): Promise<void> {
  await registerMailOff(server, {
    async find(token) {
      const whose = readMailOff(token, services);
      const site = whose && (await sites.byId(whose.siteId));
      if (!site) return undefined;
      const ctx = contextFor(site, { kind: 'job' });
      return {
        language: await deskLanguageOf(ctx, whose.agentId),
        turnOff: () => turnMailOff(ctx, whose.agentId),
      };
    },
    now,
  });
}
