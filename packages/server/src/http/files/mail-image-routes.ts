import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { ownOrigin } from './attachment-routes.ts';

/** A signed link to an image of another server. */
interface Link {
  siteId: number;
  expires: number;
  url: string;
  signature: string;
}

interface MailImageOptions {
  /** The image behind a link signed by this server; undefined if it can't be fetched. */
  find(link: Link): Promise<{ contentType: string; content: Buffer } | undefined>;
}

/** An hour: the desk shows a mail again without the sender's server noticing. */
const CACHE_CONTROL = 'private, max-age=3600';

const wholeNumber = (text: string | null): number => (/^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0);

/**
 * Images of other servers in mails at the desk: this server fetches them, so that theirs learn nothing about the agent.
 */
export function registerMailImages(server: FastifyInstance, { find }: MailImageOptions): void {
  server.get('/mail-images', async (request, reply) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const image = await find({
      siteId: wholeNumber(query.get('site')),
      expires: wholeNumber(query.get('expires')),
      url: query.get('url') ?? '',
      signature: query.get('signature') ?? '',
    });
    if (!image) throw new AppError('not_found', 'This image can’t be shown.');
    return reply
      .headers({
        'content-security-policy': "sandbox; default-src 'none'",
        ...ownOrigin(reply),
        'cache-control': CACHE_CONTROL,
        'x-robots-tag': 'noindex, nofollow',
      })
      .type(image.contentType)
      .send(image.content);
  });
}
