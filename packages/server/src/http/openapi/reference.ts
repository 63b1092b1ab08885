import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { madeOnce, sendMadeOnce } from '../made-once.ts';
import { fontFace } from '../site-style.ts';
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
 * `GET /v1/openapi.json` and `GET /docs`, the page that is made of it (decisions 2): for everybody, without a token.
 * Each is made when it is asked for the first time.
 */
export async function registerReference(server: FastifyInstance, options: DocumentOptions): Promise<void> {
  const sheet = (await fontFace()) + (await readFile(SHEET, 'utf8'));
  const sheetPath = `/assets/docs/${hash('sha256', sheet, 'hex').slice(0, 12)}.css`;
  const document = once(() => describeApi(options));
  const description = once(() => madeOnce('application/json; charset=utf-8', JSON.stringify(document())));
  const page = once(() => madeOnce('text/html; charset=utf-8', String(docsPage(document(), sheetPath))));
  const style = once(() => madeOnce('text/css; charset=utf-8', sheet));

  server.get('/v1/openapi.json', (request, reply) => {
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Service-Request-Id, ETag',
      'cross-origin-resource-policy': 'cross-origin',
    });
    return sendMadeOnce(request, reply, description());
  });
  server.get('/docs', (request, reply) => {
    void reply.header('content-security-policy', POLICY);
    return sendMadeOnce(request, reply, page());
  });
  server.get(sheetPath, (request, reply) => sendMadeOnce(request, reply, style(), 'immutable'));
}
