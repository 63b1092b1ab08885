import type { IncomingMessage } from 'node:http';
import { contract, type Issue, type OperationName } from '@foyer/protocol';
import { z } from 'zod';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { AnyOperation } from '../../core/operation.ts';
import { BODY_MAX_BYTES } from '../server.ts';

type Kind = 'integer' | 'boolean' | 'json' | 'text';
/** The types of an input's fields, so that a query's text is converted to what the schema expects of a body. */
export type FieldKinds = Readonly<Record<string, Kind>>;

const jsonSchema = z.object({
  properties: z
    .record(
      z.string(),
      z.object({
        type: z.unknown().optional(),
        anyOf: z.array(z.object({ type: z.unknown().optional() })).optional(),
      }),
    )
    .optional(),
});

function readKinds(name: OperationName): FieldKinds {
  const schema = z.toJSONSchema(contract[name].input, { io: 'input', unrepresentable: 'any' });
  const { properties = {} } = jsonSchema.parse(schema);
  return Object.fromEntries(
    Object.entries(properties).map(([field, { type, anyOf = [] }]): [string, Kind] => {
      // The field accepts an id or a word; digits are an id.
      if (anyOf.some((one) => one.type === 'integer')) return [field, 'integer'];
      if (type === 'array') return [field, 'json'];
      return [field, type === 'integer' || type === 'boolean' ? type : 'text'];
    }),
  );
}

const known = new Map<OperationName, FieldKinds>();

/**
 * From the operation's input schema, read when it is first called: reading those of all takes a twentieth of a start. A
 * field that accepts an id or a word counts as `integer`.
 */
export function fieldKinds({ name }: AnyOperation): FieldKinds {
  const kinds = known.get(name) ?? readKinds(name);
  known.set(name, kinds);
  return kinds;
}

/** Undefined if it isn't JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new SyntaxError('a forbidden key');
      return value;
    });
  } catch {
    return undefined;
  }
}

/** Only plain decimals become numbers: `1e0`, ` 1` and `01` stay text, which the schema refuses. */
function decode(value: string, kind: Kind | undefined): unknown {
  if (kind === 'integer' && /^-?(0|[1-9]\d{0,16})$/.test(value)) return Number(value);
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (kind === 'json') return parsedJson(value) ?? value;
  return value;
}

/** Parameters of the entry point, not of the operation. */
const OF_THE_DOOR = new Set(['resource', 'token']);

/**
 * The fields of a query.
 * @param allowed the fields that the query may have; undefined: all (for GET and DELETE)
 * @throws AppError 400 for unknown and repeated ones
 */
export function queryInput(
  query: URLSearchParams,
  kinds: FieldKinds,
  allowed?: readonly string[],
): Record<string, unknown> {
  const issues: Issue[] = [];
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1) issues.push({ path: name, message: 'must be given only once' });
    else if (OF_THE_DOOR.has(name)) continue;
    else if (!Object.hasOwn(kinds, name) || (allowed && !allowed.includes(name))) {
      issues.push({ path: name, message: 'isn’t a known parameter' });
    } else input[name] = decode(values[0] ?? '', kinds[name]);
  }
  if (issues.length > 0) throw invalidInput(issues);
  return input;
}

/** Reads a body. @throws AppError 413 as soon as it exceeds the limit, 400 if it isn't UTF-8 */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES)
      throw new AppError('payload_too_large', 'The body is larger than 1 MiB.', {
        headers: { connection: 'close' },
      });
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AppError('invalid_json', 'The body isn’t valid UTF-8.');
  }
}

/** @throws AppError 415, 413, 400 `invalid_json` */
export async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)) {
    throw new AppError('unsupported_media_type', 'The body must be application/json.');
  }
  const body = parsedJson(await readBody(request));
  if (body === undefined) throw new AppError('invalid_json', 'The body isn’t valid JSON.');
  return body;
}

/** Body and query fields as one input; a field that belongs to the query is unknown in the body. */
export function mergeInput(
  body: unknown,
  query: Record<string, unknown>,
  queryFields: readonly string[],
): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidInput([{ path: '', message: 'the body must be an object' }]);
  }
  const misplaced = queryFields.filter((field) => Object.hasOwn(body, field));
  if (misplaced.length > 0) {
    throw invalidInput(misplaced.map((path) => ({ path, message: 'belongs in the query, not in the body' })));
  }
  return { ...body, ...query };
}
