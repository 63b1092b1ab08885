import type { AnyOperation, RestRoute } from '../../core/operation.ts';
import { failureRef, successAnswer, successSchema } from './answers.ts';
import { Sampler } from './samples.ts';
import { refName, type Schemas } from './schemas.ts';
import type { Answer, DescribedOperation, JsonSchema, Parameter, Reference } from './types.ts';

/** The names of the security schemes. */
type SchemeNames = readonly string[];

const hasBody = ({ method }: RestRoute): boolean => method === 'POST' || method === 'PATCH';

/** A parameter's description is beside its schema. */
function parameterOf(name: string, schema: JsonSchema, required: boolean): Parameter {
  const { description, ...rest } = schema;
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    ...(rest.type === 'array' ? { content: { 'application/json': { schema: rest } } } : { schema: rest }),
  };
}

/** The form of a parameter's value. */
export const schemaOf = ({ schema, content }: Parameter): JsonSchema =>
  schema ?? content?.['application/json'].schema ?? {};

function parametersOf(route: RestRoute, input: JsonSchema): (Parameter | Reference)[] {
  const { properties = {}, required = [] } = input;
  const names = hasBody(route) ? (route.query ?? []) : Object.keys(properties);
  const inQuery = names.map((name) => parameterOf(name, properties[name] ?? {}, required.includes(name)));
  const key = { $ref: '#/components/parameters/IdempotencyKey' };
  return route.method === 'POST' ? [...inQuery, key] : inQuery;
}

function bodyOf(route: RestRoute, input: JsonSchema): JsonSchema {
  const inQuery = route.query ?? [];
  if (inQuery.length === 0 || !input.properties) return input;
  const rest = Object.entries(input.properties).filter(([name]) => !inQuery.includes(name));
  const required = (input.required ?? []).filter((name) => !inQuery.includes(name));
  const { required: _, ...schema } = { ...input, properties: Object.fromEntries(rest) };
  return required.length > 0 ? { ...schema, required } : schema;
}

/** A change needs at least one field; everything else its required fields. */
function bodySample(route: RestRoute, body: JsonSchema, records: Schemas['records']): unknown {
  const sample = new Sampler(records, 'required').of(body, route.resource);
  const [first] = Object.entries(body.properties ?? {});
  if (!first || typeof sample !== 'object' || sample === null || Object.keys(sample).length > 0)
    return sample;
  const [name, schema] = first;
  return { [name]: new Sampler(records, 'required').of(schema, route.resource, name) };
}

function failuresOf({ scope, rest }: AnyOperation, input: JsonSchema): number[] {
  const written = scope === 'write' ? [403] : [];
  // Every operation with fields can name an unknown record, if only in a filter.
  const named = Object.keys(input.properties ?? {}).length > 0 ? [404] : [];
  const body = rest && hasBody(rest) ? [409, 413, 415] : [];
  return [400, 401, ...written, ...named, 405, ...body, 429, 500, 503];
}

function successesOf(route: RestRoute, output: JsonSchema, records: Schemas['records']) {
  const schema = successSchema(output);
  const example = new Sampler(records, 'all').of(schema, route.resource);
  const made = (): Answer => successAnswer('A record was created.', schema, example);
  const worked = (description: string): Answer => successAnswer(description, schema, example);
  if (route.creates) return { 201: made() };
  if (route.createsWhen) return { 200: worked('An existing record was updated.'), 201: made() };
  return { 200: worked('Success.') };
}

/** Describes one operation of the registry in OpenAPI. */
export function describeOperation(
  operation: AnyOperation,
  route: RestRoute,
  schemas: Schemas,
  schemes: SchemeNames,
): DescribedOperation {
  const input = schemas.input(operation.name);
  const resolved = schemas.records[refName(input) ?? ''] ?? input;
  const body = route.query?.length ? bodyOf(route, resolved) : input;
  const failures = failuresOf(operation, resolved).map((status) => [status, failureRef(status)]);
  return {
    operationId: operation.name,
    tags: [route.resource],
    summary: operation.summary,
    description: `The same call: \`${route.method} /v1/api.ashx?resource=${route.resource}\`. Requires a token with the scope \`${operation.scope}\`.`,
    parameters: parametersOf(route, resolved),
    ...(hasBody(route)
      ? {
          requestBody: {
            required: true as const,
            content: {
              'application/json': { schema: body, example: bodySample(route, body, schemas.records) },
            },
          },
        }
      : {}),
    responses: {
      ...successesOf(route, schemas.output(operation.name), schemas.records),
      ...Object.fromEntries(failures),
    },
    security: schemes.map((scheme) => ({ [scheme]: [operation.scope] })),
  };
}
