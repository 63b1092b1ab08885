import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, toAppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Limits } from '../../limits/limits.ts';
import { SCIM_PATH } from '../../sites/single-sign-on/addresses.ts';
import type { ProviderRow } from '../../sites/single-sign-on/providers.ts';
import { type ScimResources, scimAbout, scimResources } from '../../team/provisioning/resources.ts';
import { ScimProblem } from '../../team/provisioning/scim-problem.ts';
import { bearerToken, queryOf } from '../rest/admission.ts';

const BODY_MAX_BYTES = 1024 * 1024;
const CONTENT_TYPE = 'application/scim+json';

interface ScimOptions {
  limits: Limits;
  /** The provider of a token, and a context that acts for it; undefined for an unknown token. */
  callerOf(token: string, request: FastifyRequest): Promise<Caller | undefined>;
}

interface Caller {
  ctx: SiteContext;
  provider: ProviderRow;
}

const whole = z.coerce.number().int().min(-1).max(1_000_000).optional().catch(undefined);
const listQuery = z.object({
  filter: z.string().optional(),
  startIndex: whole,
  count: whole,
  excludedAttributes: z.string().optional(),
});

/** Ids are whole numbers; anything else identifies nobody. */
function idIn({ params }: FastifyRequest): number {
  const { id } = z.object({ id: z.string() }).parse(params);
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new ScimProblem(404, undefined, 'No such resource.');
  return Number(id);
}

/**
 * SCIM 2.0 (RFC 7643 and 7644): identity providers create and remove agents, and report the members of groups. Each has
 * a token of its own. Bulk requests, sorting and ETags aren't supported, as the service provider configuration says.
 */
export function registerScimRoutes(server: FastifyInstance, { limits, callerOf }: ScimOptions): void {
  const calls = limits.of('scim');

  const admit = async (request: FastifyRequest): Promise<Caller> => {
    const token = bearerToken(request.headers.authorization);
    const caller = token === undefined ? undefined : await callerOf(token, request);
    if (!caller) throw new ScimProblem(401, undefined, 'A valid SCIM token is required.');
    const { allowed, retryAfterS } = await calls.take(`${caller.provider.site_id} ${caller.provider.id}`);
    if (allowed) return caller;
    const headers = { 'retry-after': String(retryAfterS) };
    throw new AppError('rate_limited', 'Too many requests.', { headers });
  };

  void server.register(
    async (door) => {
      door.removeAllContentTypeParsers();
      const types = ['application/json', CONTENT_TYPE];
      door.addContentTypeParser(
        types,
        { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
        async (_: unknown, body: string) => parse(body),
      );
      door.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
      registerAbout(door, admit);
      for (const [path, resources] of Object.entries(scimResources))
        registerResource(door, path, resources, admit);
    },
    { prefix: SCIM_PATH },
  );
}

/** Some send the content type with an empty body. @throws ScimProblem 400 */
function parse(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ScimProblem(400, 'invalidSyntax', 'The body isn’t valid JSON.');
  }
}

type Admit = (request: FastifyRequest) => Promise<Caller>;

const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type(CONTENT_TYPE).send(JSON.stringify(body));

function registerAbout(door: FastifyInstance, admit: Admit): void {
  const pages = { ServiceProviderConfig: 'config', ResourceTypes: 'types', Schemas: 'schemas' } as const;
  for (const [path, page] of Object.entries(pages) as [string, 'config' | 'types' | 'schemas'][])
    door.get(`/${path}`, async (request, reply) => {
      const { ctx } = await admit(request);
      return send(reply, 200, (await scimAbout(ctx.services.address.url))[page]);
    });
}

function registerResource(door: FastifyInstance, path: string, resources: ScimResources, admit: Admit): void {
  door.get(`/${path}`, async (request, reply) => {
    const { ctx, provider } = await admit(request);
    const query = listQuery.parse(Object.fromEntries(queryOf(request)));
    return send(reply, 200, await resources.list(ctx, provider, query));
  });
  door.post(`/${path}`, async (request, reply) => {
    const { ctx, provider } = await admit(request);
    return send(reply, 201, await resources.put(ctx, provider, undefined, request.body));
  });
  door.get(`/${path}/:id`, async (request, reply) => {
    const { ctx, provider } = await admit(request);
    return send(reply, 200, await resources.get(ctx, provider, idIn(request)));
  });
  door.put(`/${path}/:id`, async (request, reply) => {
    const { ctx, provider } = await admit(request);
    return send(reply, 200, await resources.put(ctx, provider, idIn(request), request.body));
  });
  door.patch(`/${path}/:id`, async (request, reply) => {
    const { ctx, provider } = await admit(request);
    return send(reply, 200, await resources.patch(ctx, provider, idIn(request), request.body));
  });
  door.delete(`/${path}/:id`, async (request, reply) => {
    const { ctx, provider } = await admit(request);
    await resources.delete(ctx, provider, idIn(request));
    return reply.code(204).send();
  });
}

/** An error of the library has the fields of the protocol as well. */
const isOfProtocol = (error: unknown): error is { status: number; scimType?: string; message: string } =>
  error instanceof ScimProblem || (error instanceof Error && error.constructor.name === 'SCIMError');

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isOfProtocol(error)) return problem(reply, error.status, error.message, error.scimType);
  const known = toAppError(error);
  if (known.status >= 500) request.log.error({ err: error }, 'a SCIM request failed');
  void reply.headers(known.headers);
  return problem(reply, known.status, known.message);
}

const problem = (reply: FastifyReply, status: number, detail: string, scimType?: string): FastifyReply => {
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  return send(reply, status, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail,
  });
};
