import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { PublicAddress } from '../../core/public-address.ts';
import { fontFace } from '../site-style.ts';
import { createStaticResponse, IMMUTABLE, REVALIDATE, sendStatic } from '../static-response.ts';
import { docsPage } from './docs-page.ts';
import { type DocumentOptions, describeApi } from './document.ts';

const SHEET = fileURLToPath(new URL('../../../pages/docs.css', import.meta.url));

/** Nothing but its own sheet and font: the page has no script. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Makes a value at its first use, and again when the address has changed, which happens once, at the setup. */
const oncePer = <T>(address: PublicAddress, make: () => T): (() => T) => {
  let made: { url: string; value: T } | undefined;
  return () => {
    if (made?.url !== address.url) made = { url: address.url, value: make() };
    return made.value;
  };
};

type ReferenceOptions = Omit<DocumentOptions, 'baseUrl'> & { address: PublicAddress };

/**
 * Registers `GET /v1/openapi.json` and `GET /docs`, the page rendered from it. Both need no token, and are generated at
 * the first request.
 */
export async function registerReference(
  server: FastifyInstance,
  { address, ...options }: ReferenceOptions,
): Promise<void> {
  const sheet = (await fontFace()) + (await readFile(SHEET, 'utf8'));
  const sheetPath = `/assets/docs/${hash('sha256', sheet, 'hex').slice(0, 12)}.css`;
  const document = oncePer(address, () => describeApi({ ...options, baseUrl: address.url }));
  const description = oncePer(address, () =>
    createStaticResponse('application/json; charset=utf-8', JSON.stringify(document())),
  );
  const page = oncePer(address, () =>
    createStaticResponse('text/html; charset=utf-8', String(docsPage(document(), sheetPath))),
  );
  const style = oncePer(address, () => createStaticResponse('text/css; charset=utf-8', sheet));

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
