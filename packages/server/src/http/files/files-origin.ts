import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';

/** The routes of files that strangers wrote, all behind signed links. */
const UNTRUSTED = new Set([
  '/attachments/:record',
  '/attachments/:record/image',
  '/mail-images',
  '/received-mails/:record',
]);

/**
 * Keeps strangers' files on an origin of their own, so that nothing in them could ever act as the desk: there, nothing
 * else is served, and everywhere else their links redirect there.
 */
export function separateFiles(server: FastifyInstance, filesUrl: string | undefined): void {
  if (filesUrl === undefined) return;
  const { host } = new URL(filesUrl);
  server.addHook('onRequest', async (request, reply) => {
    const isUntrusted = UNTRUSTED.has(request.routeOptions.url ?? '');
    if (request.host.toLowerCase() === host) {
      if (!isUntrusted) throw new AppError('not_found', 'Only files are here.');
      // Pages of the main origin show images, and these links are secret.
      void reply.header('cross-origin-resource-policy', 'cross-origin');
    } else if (isUntrusted) {
      return reply.header('cache-control', 'no-store').redirect(filesUrl + request.url, 307);
    }
  });
}
