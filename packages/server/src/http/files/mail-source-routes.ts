import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { type Download, type Link, linkOf, sendDownload } from './attachment-routes.ts';

interface MailSourceOptions {
  /** The mail as it was received, behind a valid link signed by this server. */
  find(link: Link): Promise<Download | undefined>;
}

/** Downloads of received mails, for the admin who has the link. */
export function registerMailSources(server: FastifyInstance, { find }: MailSourceOptions): void {
  server.get<{ Params: { record: string } }>('/received-mails/:record', async (request, reply) => {
    const link = linkOf(request);
    const download = link && (await find(link));
    if (!download)
      throw new AppError(
        'not_found',
        'This link is invalid or has expired. Open the email in the mail log and download it again.',
      );
    return sendDownload(reply, download);
  });
}
