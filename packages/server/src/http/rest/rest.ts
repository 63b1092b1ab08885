import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { AnyOperation, Method } from '../../core/operation.ts';
import { resources, runOperation } from '../../registry.ts';
import { sendData } from '../answer.ts';
import { type Admit, checkPage, checkScope, EXPOSED_HEADERS, queryOf } from './admission.ts';
import { runOnce } from './idempotency.ts';
import { fieldKinds, jsonBody, mergeInput, queryInput } from './rest-input.ts';

interface RestOptions {
  admit: Admit;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
}

const METHODS: Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** Any origin may call, without credentials: access comes from a token, never from a cookie. */
function allowAnyOrigin(reply: FastifyReply): void {
  void reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  });
}

function findRoute(method: string, query: URLSearchParams): AnyOperation {
  const named = query.getAll('resource');
  const resource = named[0]?.trim();
  if (named.length !== 1 || !resource) {
    const message = named.length > 1 ? 'must be given only once' : 'is required';
    throw new AppError('invalid_input', `resource: ${message}`, { issues: [{ path: 'resource', message }] });
  }
  const methods = resources.get(resource);
  if (!methods)
    throw new AppError('unknown_resource', `Unknown resource: ${JSON.stringify(resource.slice(0, 60))}.`);
  // HEAD is GET; the server omits the body.
  const wanted = METHODS.find((known) => known === (method === 'HEAD' ? 'GET' : method));
  const operation = wanted && methods.get(wanted);
  if (operation) return operation;
  const allow = [...methods.keys(), 'OPTIONS'].join(', ');
  throw new AppError('method_not_allowed', `${resource} doesn’t support ${method}; it supports ${allow}.`, {
    headers: { allow },
  });
}

async function readInput(
  request: FastifyRequest,
  query: URLSearchParams,
  operation: AnyOperation,
): Promise<unknown> {
  const kinds = fieldKinds(operation);
  const method = operation.rest?.method;
  if (method === 'GET' || method === 'DELETE') return queryInput(query, kinds);
  const queryFields = operation.rest?.query ?? [];
  const fromQuery = queryInput(query, kinds, queryFields);
  return mergeInput(await jsonBody(request.raw), fromQuery, queryFields);
}

/** Registers REST. 401 → 429 → 400/404 → 405 → 403 → 400: `docs/contract/decisions.md#order-of-checks`. */
export function registerRest(server: FastifyInstance, options: RestOptions): void {
  const { admit, contextFor } = options;

  server.register(async (door) => {
    // Bodies are read by the operation's step, after the checks that come before it.
    door.removeAllContentTypeParsers();
    door.addContentTypeParser('*', (_request, _payload, done) => done(null));
    door.addHook('onRequest', (_request, reply, done) => {
      allowAnyOrigin(reply);
      done();
    });

    door.options('/v1/*', (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': METHODS.join(', '),
          'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
          'access-control-max-age': '86400',
          'cache-control': 'public, max-age=86400',
        })
        .send(),
    );

    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const query = queryOf(request);
      const { site, actor } = await admit(request, reply, query);
      const operation = findRoute(request.method, query);
      checkScope(operation, actor);
      checkPage(actor, request.headers.origin);
      const input = await readInput(request, query, operation);
      const ctx = contextFor(site, actor, request);
      const key = operation.rest?.method === 'POST' ? request.headers['idempotency-key'] : undefined;
      const output =
        key === undefined
          ? await runOperation(operation, ctx, input)
          : await runOnce(ctx, String(key), operation, input);
      if (actor.browser && operation.rest?.inPage) return sendData(reply, operation.rest.inPage(output));
      const made = operation.rest?.creates ?? operation.rest?.createsWhen?.(output) ?? false;
      return sendData(reply, output, made ? 201 : 200);
    };
    // Every method but OPTIONS, so that a wrong one gets the list of allowed ones.
    door.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/v1/api.ashx',
      exposeHeadRoute: false,
      handler,
    });
  });
}
