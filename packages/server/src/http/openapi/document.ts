import type { Method } from '../../core/operation.ts';
import { resources } from '../../registry.ts';
import { envelopeSchemas, failureAnswers, headers } from './answers.ts';
import { describeOperation } from './operations.ts';
import { RESOURCE_SUMMARIES } from './resource-summaries.ts';
import { describeSchemas, usedRecords } from './schemas.ts';
import type { HttpMethod, OpenApiDocument, PathItem } from './types.ts';

export interface DocumentOptions {
  /** FOYER_BASE_URL */
  baseUrl: string;
  version: string;
  /** FOYER_QUERY_TOKEN */
  queryToken: boolean;
}

const HTTP_METHODS: Readonly<Record<Method, HttpMethod>> = {
  GET: 'get',
  POST: 'post',
  PATCH: 'patch',
  DELETE: 'delete',
};

const DESCRIPTION = `The resources of a site's live chat and support: handoffs, tickets, visitors, knowledge and webhooks.

Answers are JSON in one envelope: \`ok\`, \`data\`, \`request_id\`, and \`page\` with a list. Send \`Idempotency-Key\` with a POST to repeat it safely. Each resource at \`/v1/NAME\` also answers at \`/v1/api.ashx?resource=NAME\`.`;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const QUERY_SCHEME = {
  type: 'apiKey',
  in: 'query',
  name: 'token',
  description:
    'The same token, for clients that can’t set a header. If both are given, the header takes precedence.',
};

/** The REST API in OpenAPI 3.1, generated from the registry and its validating schemas, so it can't drift from them. */
export function describeApi({ baseUrl, version, queryToken }: DocumentOptions): OpenApiDocument {
  const described = describeSchemas();
  const schemas = { ...described, records: { ...described.records, ...envelopeSchemas } };
  const securitySchemes = {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token (`foy_…`) with the scope `read` or `read,write`.',
    },
    ...(queryToken ? { queryToken: QUERY_SCHEME } : {}),
  };
  const schemes = Object.keys(securitySchemes);
  const paths: Record<string, PathItem> = {};
  for (const [resource, methods] of resources) {
    const item: PathItem = {};
    for (const [method, operation] of methods) {
      if (!operation.rest) continue;
      item[HTTP_METHODS[method]] = describeOperation(operation, operation.rest, schemas, schemes);
    }
    paths[`/v1/${resource}`] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer REST API',
      version,
      summary: 'Self-hosted live chat and customer support.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This Foyer' }],
    security: schemes.map((scheme) => ({ [scheme]: [] })),
    tags: [...resources.keys()].map((name) => ({
      name,
      description: sentence(RESOURCE_SUMMARIES[name] ?? name),
    })),
    paths,
    components: {
      schemas: usedRecords([paths, failureAnswers], schemas.records),
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'Makes the request safe to repeat: for 24 hours, the same key, token and body return the first response.',
          schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
        },
      },
      headers,
      responses: failureAnswers,
      securitySchemes,
    },
  };
}
