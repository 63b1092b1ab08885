import type { FastifyInstance } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Services, Site, SiteContext } from '../core/context.ts';
import { registerMailOff } from '../http/mail-off.ts';
import type { Limits } from '../limits/limits.ts';
import { readMailOff, turnMailOff } from '../notifications/mail-off.ts';
import { deskLanguageOf } from '../sites/agents/desk-language.ts';
import type { SiteDirectory } from '../sites/directory.ts';

interface MailOffRoutesOptions {
  sites: Pick<SiteDirectory, 'byId'>;
  services: Pick<Services, 'derivedToken'>;
  contextFor(site: Site, actor: Actor): SiteContext;
  limits: Limits;
}

/** The link that turns off mails about missed notifications, connected to its domain. */
export async function registerMailOffRoutes(
  server: FastifyInstance,
  { sites, services, contextFor, limits }: MailOffRoutesOptions,
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
    limits,
  });
}
