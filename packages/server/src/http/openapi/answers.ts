import { ERROR_STATUS, type ErrorCode } from '@foyer/protocol';
import { isPage, refTo } from './schemas.ts';
import type { Answer, JsonSchema, OpenApiDocument, Reference } from './types.ts';

/** One line per error code; docs/rest/README.md has the same list. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_input:
    'A field or parameter is invalid, missing, unknown or repeated; `issues` lists each problem.',
  invalid_json: 'The body isn’t UTF-8 JSON.',
  unauthorized: 'The token is missing or invalid.',
  insufficient_scope: 'The token lacks the scope: it is read-only, or a browser token.',
  plan_limit: 'The site’s plan doesn’t allow it.',
  unknown_resource: 'The resource doesn’t exist.',
  not_found: 'The record doesn’t exist, or belongs to another site.',
  method_not_allowed: 'The resource doesn’t support this method; `Allow` lists those it supports.',
  conflict:
    'The request conflicts with the current state, such as a taken name or an Idempotency-Key used with another body.',
  payload_too_large: 'The body is over 1 MiB.',
  unsupported_media_type: '`Content-Type` isn’t `application/json`.',
  rate_limited: 'Rate limit exceeded. Wait for `Retry-After` seconds.',
  internal: 'Server error. The server’s log has a line with the request id.',
  unavailable: 'The database is unavailable. Nothing was changed; retry after `Retry-After` seconds.',
};

const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
const NAMES: Readonly<Record<number, string>> = {
  400: 'BadInput',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'Internal',
  503: 'Unavailable',
};

const REQUEST_ID = 'req_O5JapxgoTXnznscm';

export const headers: OpenApiDocument['components']['headers'] = {
  'X-Service-Request-Id': {
    description: 'The request id, which is in every log line of the request.',
    schema: { type: 'string', examples: [REQUEST_ID] },
  },
  'RateLimit-Limit': {
    description: 'Requests allowed per window.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window resets.',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1, maximum: 60 },
  },
  Allow: { description: 'The methods that the resource supports.', schema: { type: 'string' } },
};

const headersOf = (...names: string[]): Record<string, Reference> =>
  Object.fromEntries(
    ['X-Service-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The schemas of the response envelope. */
export const envelopeSchemas: Record<string, JsonSchema> = {
  RequestId: {
    type: 'string',
    description: 'The same as the header `X-Service-Request-Id`.',
    examples: [REQUEST_ID],
  },
  PageInfo: {
    type: 'object',
    description: 'Pagination of a list.',
    required: ['limit', 'next_cursor'],
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 200 },
      next_cursor: {
        type: ['string', 'null'],
        description: 'The `cursor` of the next page; null on the last one.',
      },
    },
  },
  Failure: {
    type: 'object',
    required: ['ok', 'error'],
    properties: {
      ok: { const: false },
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string', enum: ERROR_CODES, description: 'Branch on this.' },
          message: { type: 'string', description: 'For people; it may change.' },
          request_id: refTo('RequestId'),
          issues: {
            type: 'array',
            description: 'Every problem of an invalid input.',
            items: refTo('Issue'),
          },
        },
      },
    },
  },
  Issue: {
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', description: 'Dotted path of the field; empty for the whole body.' },
      message: { type: 'string' },
    },
  },
};

function failureAnswer(status: number): Answer {
  const codes = ERROR_CODES.filter((code) => ERROR_STATUS[code] === status);
  const [first = 'internal'] = codes;
  const retry = status === 429 || status === 503 ? ['Retry-After'] : [];
  const rate = status === 401 ? [] : RATE_HEADERS;
  const issues =
    first === 'invalid_input' ? { issues: [{ path: 'name', message: 'must not be empty' }] } : {};
  const message = issues.issues ? 'name: must not be empty' : ERROR_MEANINGS[first];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join('\n\n'),
    headers: headersOf(...rate, ...retry, ...(status === 405 ? ['Allow'] : [])),
    content: {
      'application/json': {
        schema: refTo('Failure'),
        example: { ok: false, error: { code: first, message, request_id: REQUEST_ID, ...issues } },
      },
    },
  };
}

export const failureAnswers: Record<string, Answer> = Object.fromEntries(
  Object.entries(NAMES).map(([status, name]) => [name, failureAnswer(Number(status))]),
);

/** `status` must be one of the contract's; for any other the reference leads nowhere. */
export const failureRef = (status: number): Reference => ({
  $ref: `#/components/responses/${NAMES[status]}`,
});
/** The response that a reference of `failureRef` points to. */
export const failureOf = ({ $ref }: Reference): Answer | undefined =>
  failureAnswers[$ref.slice('#/components/responses/'.length)];

function envelopeOf(output: JsonSchema): JsonSchema {
  const data = isPage(output) ? (output.properties?.items ?? {}) : output;
  const page = isPage(output) ? { page: refTo('PageInfo') } : {};
  return {
    type: 'object',
    required: ['ok', 'data', 'request_id', ...Object.keys(page)],
    properties: { ok: { const: true }, data, request_id: refTo('RequestId'), ...page },
  };
}

/** The schema of an operation's response envelope: a list with its page, one record, or either. */
export function successSchema(output: JsonSchema): JsonSchema {
  const choices = output.anyOf?.some(isPage) ? output.anyOf : [output];
  const envelopes = choices.map(envelopeOf);
  if (envelopes.length === 1) return envelopes[0] ?? {};
  return {
    anyOf: envelopes.map((schema, at) => ({
      title: isPage(choices[at] ?? {}) ? 'A list' : 'One record',
      ...schema,
    })),
  };
}

/** Includes the rate-limit headers, which every successful response has. */
export const successAnswer = (description: string, schema: JsonSchema, example: unknown): Answer => ({
  description,
  headers: headersOf(...RATE_HEADERS),
  content: { 'application/json': { schema, example } },
});
