import type { FastifyInstance } from 'fastify';
import { type MadeOnce, madeOnce, sendMadeOnce } from './made-once.ts';
import { type DocumentOptions, describeApi } from './openapi-document.ts';

/**
 * `GET /v1/openapi.json` (decisions 2): for everybody, from any origin, without a token. It is made when it is asked
 * for the first time.
 */
export function registerReference(server: FastifyInstance, options: DocumentOptions): void {
  let made: MadeOnce | undefined;
  server.get('/v1/openapi.json', (request, reply) => {
    made ??= madeOnce('application/json; charset=utf-8', JSON.stringify(describeApi(options)));
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Service-Request-Id, ETag',
      'cross-origin-resource-policy': 'cross-origin',
    });
    return sendMadeOnce(request, reply, made);
  });
}
