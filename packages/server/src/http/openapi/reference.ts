import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { fontFace } from '../site-style.ts';
import { createStaticResponse, IMMUTABLE, REVALIDATE, sendStatic } from '../static-response.ts';
import { docsPage } from './docs-page.ts';
import { type DocumentOptions, describeApi } from './document.ts';

const SHEET = fileURLToPath(new URL('../../../pages/docs.css', import.meta.url));

/** Nothing but its own sheet and font: the page has no script. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/**
 * Registers `GET /v1/openapi.json` and `GET /docs`, the page rendered from it. Both need no token, and are generated at
 * the first request.
 */
export async function registerReference(server: FastifyInstance, options: DocumentOptions): Promise<void> {
  const sheet = (await fontFace()) + (await readFile(SHEET, 'utf8'));
  const sheetPath = `/assets/docs/${hash('sha256', sheet, 'hex').slice(0, 12)}.css`;
  const document = once(() => describeApi(options));
  const description = once(() =>
    createStaticResponse('application/json; charset=utf-8', JSON.stringify(document())),
  );
  const page = once(() =>
    createStaticResponse('text/html; charset=utf-8', String(docsPage(document(), sheetPath))),
  );
  const style = once(() => createStaticResponse('text/css; charset=utf-8', sheet));

  server.get('/v1/openapi.json', (request, reply) => {
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Service-Request-Id, ETag',
      'cross-origin-resource-policy': 'cross-origin',
    });
    return sendStatic(request, reply, description(), REVALIDATE);
  });
  server.get('/docs', (request, reply) => {
    void reply.header('content-security-policy', POLICY);
    return sendStatic(request, reply, page(), REVALIDATE);
  });
  server.get(sheetPath, (request, reply) => sendStatic(request, reply, style(), IMMUTABLE));
}
