import type { FastifyInstance } from 'fastify';
import type { PublicAddress } from '../core/public-address.ts';

/** A year. Subdomains may be somebody else's, so they aren't included. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Browsers that were here over https once never try http again. Over http they ignore the header. */
export function requireHttps(server: FastifyInstance, address: PublicAddress): void {
  server.addHook('onRequest', async (_request, reply) => {
    if (address.url.startsWith('https:')) void reply.header('strict-transport-security', STRICT_TRANSPORT);
  });
}
