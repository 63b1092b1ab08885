import type { ErrorCode } from '@foyer/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { type Admit, EXPOSED_HEADERS, queryOf } from '../rest/admission.ts';
import { jsonBody, queryInput } from '../rest/rest-input.ts';
import { refusalOf } from '../server.ts';
import type { Answerer } from './answerer.ts';
import { checkMcpOrigin } from './origin.ts';

interface McpOptions {
  admit: Admit;
  address: PublicAddress;
  /** FOYER_MCP_ORIGINS */
  origins: readonly string[];
  /** The server's version, which clients show. */
  version: string;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
}

const PATH = '/mcp';
/** From JSON-RPC's range for servers: an error of the entry point, whose own code is in `data`. */
const REFUSED = -32_000;
/** JSON-RPC 2.0: parse error, invalid request, internal error. */
const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32_700,
  invalid_input: -32_600,
  internal: -32_603,
};
/** Headers that browser clients send. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID';

/** An error that occurs before a call is parsed has no id to answer to. */
function sendRefusal(reply: FastifyReply, error: AppError): FastifyReply {
  const data = error.body(reply.request.id);
  return reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send({
      jsonrpc: '2.0',
      id: null,
      error: { code: RPC_CODES[error.code] ?? REFUSED, message: error.message, data },
    });
}

/** The request for the SDK. Body and token were handled before, so neither is passed on. */
function webRequest(request: FastifyRequest, address: PublicAddress): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`${address.url}${PATH}`, { method: 'POST', headers });
}

async function readMessage(request: FastifyRequest): Promise<object> {
  const message = await jsonBody(request.raw);
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  // A batch (which the protocol once had) would be many calls for one token of the bucket.
  throw new AppError(
    'invalid_input',
    'The body must be a single JSON-RPC message; batches aren’t supported.',
  );
}

/**
 * Loaded by the first message: the SDK and the tools' schemas take a tenth of the memory of a process that never
 * gets one.
 */
function lazyAnswerer(version: string): Answerer {
  let made: Promise<Answerer> | undefined;
  return async (...message) => {
    made ??= import('./answerer.ts').then(({ createAnswerer }) => createAnswerer(version));
    return (await made)(...message);
  };
}

/**
 * Registers MCP: streamable HTTP without sessions. Order of checks: 403 host and origin → 401 → 429 → 405 → 415,
 * 413, 400 → the protocol's own → scope → input → the operation. An operation's error is a tool result; only a
 * malformed message is a protocol error.
 */
export function registerMcp(server: FastifyInstance, options: McpOptions): void {
  const { admit, contextFor } = options;
  const answer = lazyAnswerer(options.version);

  server.register(async (door) => {
    // Bodies are read after the checks that come before them.
    door.removeAllContentTypeParsers();
    door.addContentTypeParser('*', (_request, _payload, done) => done(null));
    door.setErrorHandler<FastifyError>((thrown, request, reply) =>
      sendRefusal(reply, refusalOf(thrown, request)),
    );
    door.addHook('onRequest', async (request, reply) => {
      void reply.header('cache-control', 'no-store').header('vary', 'origin');
      const origin = checkMcpOrigin(request, options);
      if (origin === undefined) return;
      void reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': `${EXPOSED_HEADERS}, WWW-Authenticate`,
      });
    });

    door.options(PATH, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': ALLOWED_HEADERS,
          'access-control-max-age': '86400',
        })
        .send(),
    );

    door.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: PATH,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const query = queryOf(request);
        const { site, actor } = await admit(request, reply, query);
        if (actor.browser) throw new AppError('insufficient_scope', 'Browser tokens don’t work with MCP.');
        if (request.method !== 'POST') {
          const message = 'This server has no sessions or streams: send every message as a POST.';
          throw new AppError('method_not_allowed', message, { headers: { allow: 'POST, OPTIONS' } });
        }
        queryInput(query, {});
        const message = await readMessage(request);
        const call = { ctx: contextFor(site, actor, request), requestId: request.id };
        const answered = await answer(webRequest(request, options.address), call, message);
        const type = answered.headers.get('content-type');
        if (type !== null) void reply.type(type);
        return reply.code(answered.status).send(await answered.text());
      },
    });
  });
}
