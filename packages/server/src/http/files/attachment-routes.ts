import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';

/** A signed link to a file of a site. */
export interface Link {
  siteId: number;
  id: number;
  expires: number;
  signature: string;
}

export interface Download {
  name: string;
  size: number;
  contentDisposition: string;
  content: AsyncIterable<Buffer>;
}

/** No other site's pages embed files, unless they have an origin of their own. */
export const ownOrigin = (reply: FastifyReply) => ({
  'cross-origin-resource-policy': String(reply.getHeader('cross-origin-resource-policy') ?? 'same-origin'),
});

const sendFile = (
  reply: FastifyReply,
  { size, contentDisposition, content }: Download,
  { type, cacheControl }: { type: string; cacheControl: string },
): FastifyReply =>
  reply
    .headers({
      'content-disposition': contentDisposition,
      'content-length': size,
      'content-security-policy': "sandbox; default-src 'none'",
      ...ownOrigin(reply),
      'cache-control': cacheControl,
      'x-robots-tag': 'noindex, nofollow',
    })
    .type(type)
    .send(Readable.from(content));

/** Sends a stranger's file: always as a download, with a type that no browser displays. */
export const sendDownload = (reply: FastifyReply, download: Download): FastifyReply =>
  sendFile(reply, download, { type: 'application/octet-stream', cacheControl: 'private' });

/** An image encoded by the server, sent with its own type. */
interface ImageDownload extends Download {
  contentType: string;
}

interface AttachmentOptions {
  /** The file behind a valid link signed by this server. */
  find(link: Link): Promise<Download | undefined>;
  /** The same, if it is an image encoded by the server. */
  findImage(link: Link): Promise<ImageDownload | undefined>;
}

const wholeNumber = (text: string | undefined): number =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;

/** The link in a request; undefined if the address isn't one. */
export function linkOf(request: FastifyRequest<{ Params: { record: string } }>): Link | undefined {
  const query = new URL(request.url, 'http://localhost').searchParams;
  const [site, id, ...more] = request.params.record.split('-');
  const link = {
    siteId: wholeNumber(site),
    id: wholeNumber(id),
    expires: wholeNumber(query.get('expires') ?? undefined),
    signature: query.get('signature') ?? '',
  };
  const isLink = more.length === 0 && [link.siteId, link.id, link.expires].every(Number.isSafeInteger);
  return isLink ? link : undefined;
}

/** The same response for a forged link, an expired one and a deleted file. */
const goneLink = (): AppError =>
  new AppError(
    'not_found',
    'This link is invalid or has expired. Links to files expire after 24 hours: read the ticket or the chat again for a new one.',
  );

/** The signed links that REST returns, for programs and people who have one. */
export function registerAttachments(server: FastifyInstance, { find, findImage }: AttachmentOptions): void {
  server.get<{ Params: { record: string } }>('/attachments/:record', async (request, reply) => {
    const link = linkOf(request);
    const download = link && (await find(link));
    if (!download) throw goneLink();
    return sendDownload(reply, download);
  });
  server.get<{ Params: { record: string } }>('/attachments/:record/image', async (request, reply) => {
    const link = linkOf(request);
    const image = link && (await findImage(link));
    if (!image) throw goneLink();
    return sendFile(reply, image, {
      type: image.contentType,
      cacheControl: 'private, max-age=86400, immutable',
    });
  });
}
