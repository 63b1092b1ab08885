import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AttachmentRow,
  findAttachment,
  findInlineImage,
  readAttachment,
} from '../attachments/attachments.ts';
import type { Actor } from '../core/actor.ts';
import type { Services, Site, SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { findSourceOfLink } from '../email/log/source.ts';
import { contentDisposition } from '../files/file-name.ts';
import type { SignedLinks } from '../files/signed-links.ts';
import { registerArchives } from '../http/files/archive-routes.ts';
import { type Download, registerAttachments } from '../http/files/attachment-routes.ts';
import { registerMailImages } from '../http/files/mail-image-routes.ts';
import { registerMailSources } from '../http/files/mail-source-routes.ts';
import { registerPortal } from '../http/portal/routes.ts';
import type { Limits } from '../limits/limits.ts';
import type { GuardOptions } from '../net/address-guard.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import { findArchiveOfLink } from '../site-archive/archives.ts';
import { createImageFetcher, isGoodImageLink } from '../tickets/mails/remote-images.ts';
import { findPortalLink } from '../tickets/portal/links.ts';
import { answerThroughPortal, findPortalAttachment, getPortalTicket } from '../tickets/portal/portal.ts';

interface LinkRoutesOptions {
  db: Db;
  signedLinks: SignedLinks;
  services: Pick<Services, 'derivedToken'>;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  limits: Limits;
  /** For images of other servers. */
  guard: GuardOptions;
  now(): Date;
}

/**
 * Portal, attachments, images of mails, mails as received and archives, which a link opens without sign-in, connected
 * to their domains.
 */
export async function registerLinkRoutes(
  server: FastifyInstance,
  { db, signedLinks, services, contextFor, limits, guard, now }: LinkRoutesOptions,
): Promise<void> {
  const downloadOf = (siteId: number, row: AttachmentRow): Download => ({
    name: row.name,
    size: row.size,
    contentDisposition: contentDisposition(row.name),
    content: readAttachment(db, siteId, row),
  });
  registerAttachments(server, {
    async find(link) {
      if (!signedLinks.isGood(link, now())) return undefined;
      const row = await findAttachment(db, link.siteId, link.id);
      return row && downloadOf(link.siteId, row);
    },
    async findImage(link) {
      if (!signedLinks.isGood(link, now())) return undefined;
      const file = await findAttachment(db, link.siteId, link.id);
      const row = file?.width === null ? await findInlineImage(db, link.siteId, link.id) : file;
      if (row === undefined) return undefined;
      return {
        ...downloadOf(link.siteId, row),
        contentDisposition: contentDisposition(row.name, 'inline'),
        contentType: row.content_type,
      };
    },
  });
  const fetchImage = createImageFetcher(createGuardedFetch(guard));
  registerMailImages(server, {
    find: async (link) => (isGoodImageLink(services, link, now()) ? fetchImage(link.url) : undefined),
  });
  registerArchives(server, {
    async find(link) {
      const archive = await findArchiveOfLink(db, services, link, now());
      if (!archive) return undefined;
      const name = `site-${link.siteId}-${archive.createdAt.toISOString().slice(0, 10)}.tar.gz`;
      const { bytes: size, content } = archive;
      return { name, size, contentDisposition: contentDisposition(name), content };
    },
  });
  registerSources(server, { db, services, now });
  await registerPortal(server, {
    find: (token) => findPortalLink(db, token, now()),
    show: getPortalTicket,
    answer: answerThroughPortal,
    async attachment(ctx, link, id) {
      const row = await findPortalAttachment(ctx, link, id);
      if (!row) return undefined;
      const { attachmentUrl, address } = ctx.services;
      return {
        ...downloadOf(ctx.site.id, row),
        elsewhere: address.filesUrl && attachmentUrl(ctx.site.id, row.id, ctx.now()),
      };
    },
    contextFor,
    limits,
  });
}

function registerSources(
  server: FastifyInstance,
  { db, services, now }: Pick<LinkRoutesOptions, 'db' | 'services' | 'now'>,
): void {
  registerMailSources(server, {
    async find(link) {
      const content = await findSourceOfLink(db, services, link, now());
      if (!content) return undefined;
      const name = `email-${link.id}.eml`;
      return {
        name,
        size: content.length,
        contentDisposition: contentDisposition(name),
        content: Readable.from([content]),
      };
    },
  });
}
