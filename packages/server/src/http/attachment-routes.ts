import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

export interface Download {
  name: string;
  size: number;
  contentDisposition: string;
  content: AsyncIterable<Buffer>;
}

/** A stranger's file: a download under every circumstance, of no type that any browser shows (decisions 9). */
export const sendDownload = (
  reply: FastifyReply,
  { size, contentDisposition, content }: Download,
): FastifyReply =>
  reply
    .headers({
      'content-disposition': contentDisposition,
      'content-length': size,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private',
      'x-robots-tag': 'noindex, nofollow',
    })
    .type('application/octet-stream')
    .send(Readable.from(content));

export interface AttachmentOptions {
  /** The file of a link that this server signed and that has not ended. */
  find(link: {
    siteId: number;
    id: number;
    expires: number;
    signature: string;
  }): Promise<Download | undefined>;
}

const wholeNumber = (text: string | undefined): number =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;

/** Signed links, as REST answers them: for a program or an agent that was given one. */
export function registerAttachments(server: FastifyInstance, { find }: AttachmentOptions): void {
  server.get<{ Params: { record: string } }>('/attachments/:record', async (request, reply) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const [site, id, ...more] = request.params.record.split('-');
    const link = {
      siteId: wholeNumber(site),
      id: wholeNumber(id),
      expires: wholeNumber(query.get('expires') ?? undefined),
      signature: query.get('signature') ?? '',
    };
    const isLink = more.length === 0 && [link.siteId, link.id, link.expires].every(Number.isSafeInteger);
    const download = isLink ? await find(link) : undefined;
    // One answer for a link that was altered, one that has ended, and a file that is gone.
    if (!download)
      throw new AppError(
        'not_found',
        'This link is not valid, or not any more: links to files end after 24 hours. Read the ticket again for a new one.',
      );
    return sendDownload(reply, download);
  });
}
