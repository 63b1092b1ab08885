import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  checkUploadName,
  dropUpload,
  findUpload,
  keepUpload,
  uploadMaxBytes,
} from '../attachments/uploads.ts';
import type { Actor } from '../core/actor.ts';
import type { Services, Site, SiteContext } from '../core/context.ts';
import type { PublicAddress } from '../core/public-address.ts';
import type { Db } from '../db/database.ts';
import { registerImports } from '../http/files/import-routes.ts';
import { registerKnowledgeFiles } from '../http/files/knowledge-file-routes.ts';
import { registerUploads, type UploadSender } from '../http/files/upload-routes.ts';
import { keepPart } from '../imports/files.ts';
import { keepFile } from '../knowledge/sources/files.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Limits } from '../limits/limits.ts';
import type { KnownSite, SiteDirectory } from '../sites/directory.ts';
import { visitorOfToken } from '../visitors/identity/greeting.ts';

interface UploadRoutesOptions {
  db: Db;
  address: PublicAddress;
  services: Pick<Services, 'derivedToken'>;
  sites: SiteDirectory;
  agentOf(request: FastifyRequest): Promise<{ site: Site; actor: Actor } | undefined>;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  limits: Limits;
}

const browserOf = (request: FastifyRequest) => ({ userAgent: request.headers['user-agent'] });

/** Upload routes for files of chats, imports and knowledge, connected to their domains. */
export function registerUploadRoutes(server: FastifyInstance, options: UploadRoutesOptions): void {
  const { db, address, services, sites, agentOf, contextFor, limits } = options;
  const uploads = limits.of('uploads');
  const ofSite = limits.of('upload site');
  const bytes = limits.of('upload bytes');
  const senderOf = (ctx: SiteContext, site: KnownSite): UploadSender => ({
    ctx,
    maxBytes: uploadMaxBytes(ctx.actor, site.uploads),
    checkName: (name) => checkUploadName(ctx, name, site.uploads),
  });
  registerUploads(server, {
    address,
    async visitorOf(publicKey, token, request) {
      const site = await sites.byKey(publicKey);
      const actor =
        site && (await visitorOfToken(db, services.derivedToken, site.id, token, browserOf(request)));
      return actor && senderOf(contextFor(site, actor, request), site);
    },
    async agentOf(request) {
      const agent = await agentOf(request);
      const site = agent && (await sites.byId(agent.site.id));
      return site && senderOf(contextFor(site, agent.actor, request), site);
    },
    find: findUpload,
    keep: keepUpload,
    drop: dropUpload,
    admit: async (address) => (await uploads.take(addressKey(address))).allowed,
    admitVisitor: async (siteId, address, size) =>
      (await ofSite.take(String(siteId))).allowed && (await bytes.take(addressKey(address), size)).allowed,
  });
  const adminOf = async (request: FastifyRequest): Promise<SiteContext | undefined> => {
    const agent = await agentOf(request);
    const isAdmin = agent?.actor.kind === 'agent' && agent.actor.role === 'admin';
    return isAdmin ? contextFor(agent.site, agent.actor, request) : undefined;
  };
  registerImports(server, { address, adminOf, keep: keepPart });
  registerKnowledgeFiles(server, { address, adminOf, keep: keepFile });
}
