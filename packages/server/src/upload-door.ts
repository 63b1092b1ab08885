import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  checkUploadName,
  dropUpload,
  findUpload,
  keepUpload,
  uploadMaxBytes,
} from './attachments/uploads.ts';
import type { Actor, Site, SiteContext } from './context.ts';
import type { Db } from './db/database.ts';
import { registerImports } from './http/import-routes.ts';
import { addressKey, createAttemptLimiter } from './http/rate-limit.ts';
import { registerUploads, type UploadSender } from './http/upload-routes.ts';
import { keepPart } from './imports/files.ts';
import type { KnownSite, SiteDirectory } from './sites/directory.ts';
import { findDevice } from './visitors/devices.ts';

/** From one address, which an office shares. */
const UPLOADS_PER_MINUTE = 120;

export interface UploadDoorOptions {
  db: Db;
  baseUrl: string;
  sites: SiteDirectory;
  agentOf(request: FastifyRequest): Promise<{ site: Site; actor: Actor } | undefined>;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  now(): Date;
}

/** The doors for files of chats, and for those that an admin brings in, joined to their domains. */
export function registerUploadDoor(server: FastifyInstance, options: UploadDoorOptions): void {
  const { db, baseUrl, sites, agentOf, contextFor, now } = options;
  const uploads = createAttemptLimiter({ max: UPLOADS_PER_MINUTE, windowMs: 60_000, now });
  const senderOf = (ctx: SiteContext, site: KnownSite): UploadSender => ({
    ctx,
    maxBytes: uploadMaxBytes(ctx.actor, site.uploads),
    checkName: (name) => checkUploadName(ctx, name, site.uploads),
  });
  registerUploads(server, {
    baseUrl,
    async visitorOf(publicKey, token, request) {
      const site = await sites.byKey(publicKey);
      const device = site && (await findDevice(db, site.id, token));
      if (!device) return undefined;
      const actor = {
        kind: 'visitor',
        visitorId: device.visitorId,
        deviceId: device.id,
        verified: false,
      } as const;
      return senderOf(contextFor(site, actor, request), site);
    },
    async agentOf(request) {
      const agent = await agentOf(request);
      const site = agent && (await sites.byId(agent.site.id));
      return site && senderOf(contextFor(site, agent.actor, request), site);
    },
    find: findUpload,
    keep: keepUpload,
    drop: dropUpload,
    admit: (address) => uploads.take(addressKey(address)).allowed,
  });
  registerImports(server, {
    baseUrl,
    async adminOf(request) {
      const agent = await agentOf(request);
      const isAdmin = agent?.actor.kind === 'agent' && agent.actor.role === 'admin';
      return isAdmin ? contextFor(agent.site, agent.actor, request) : undefined;
    },
    keep: keepPart,
  });
}
