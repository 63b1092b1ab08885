import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { type Download, type Link, linkOf, sendDownload } from './attachment-routes.ts';

interface ArchiveOptions {
  /** The archive behind a valid link signed by this server. */
  find(link: Link): Promise<Download | undefined>;
}

/** Downloads of a site's archive, for the admin who has the link. */
export function registerArchives(server: FastifyInstance, { find }: ArchiveOptions): void {
  server.get<{ Params: { record: string } }>('/site-archives/:record', async (request, reply) => {
    const link = linkOf(request);
    const download = link && (await find(link));
    if (!download)
      throw new AppError(
        'not_found',
        'This link is invalid or has expired. Create a new archive under Settings → Data retention.',
      );
    return sendDownload(reply, download);
  });
}
