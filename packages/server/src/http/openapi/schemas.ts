import * as protocol from '@foyer/protocol';
import { contract, type OperationName } from '@foyer/protocol';
import { z } from 'zod';
import type { Answers } from '../../core/client-names.ts';
import type { JsonSchema } from './types.ts';

type Io = 'input' | 'output';

/** A record that protocol exports is a component by its name there; scalars, lists and maps stand where they are used. */
const isRecord = (value: unknown): value is z.ZodType =>
  value instanceof z.ZodObject || value instanceof z.ZodUnion || value instanceof z.ZodLazy;

/** What a request may hold is named apart: it leaves out what has a default, and text is not yet trimmed. */
const componentName = (name: string, io: Io): string =>
  name.charAt(0).toUpperCase() + name.slice(1) + (io === 'input' ? 'Input' : '');

const REF = '#/components/schemas/';
export const refTo = (name: string): JsonSchema => ({ $ref: REF + name });
/** The component that a schema refers to, if it is a reference. */
export const refName = ({ $ref }: JsonSchema): string | undefined => $ref?.slice(REF.length);

/** `anyOf: [X, null]` of a plain type as a list of types. */
function mergeNull(schema: JsonSchema): void {
  const [first, second] = schema.anyOf ?? [];
  if (schema.anyOf?.length !== 2 || second?.type !== 'null' || typeof first?.type !== 'string') return;
  if (first.enum ?? first.const ?? first.anyOf) return;
  const { type, ...rest } = first;
  delete schema.anyOf;
  Object.assign(schema, rest, { ...schema, type: [type, 'null'] });
}

/** `z.json()` holds itself, which zod writes as a choice of every type there is. */
const isAnyJson = ({ anyOf = [] }: JsonSchema): boolean =>
  ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) =>
    anyOf.some((choice) => choice.type === type),
  );

/** Takes the place of what zod wrote once for several uses: any value at all is `{}`, everything else has a name. */
function openShared(value: unknown, shared: Readonly<Record<string, JsonSchema>>): void {
  if (typeof value !== 'object' || value === null) return;
  const [, name] = ('$ref' in value && String(value.$ref).split('__shared#/$defs/')) || [];
  if (name !== undefined && '$ref' in value) {
    if (!isAnyJson(shared[name] ?? {}))
      throw new Error('a schema that holds itself must be exported by protocol');
    delete value.$ref;
  }
  for (const part of Object.values(value)) openShared(part, shared);
}

/** What zod says for its own sake and a reader doesn't need. */
function tidy(schema: JsonSchema, io: Io): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // An answer may gain fields within /v1/.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  mergeNull(schema);
}

function schemasOf(io: Io): { records: Record<string, JsonSchema>; byOperation: Map<string, JsonSchema> } {
  const registry = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(protocol)) {
    if (isRecord(value) && !registry.has(value)) registry.add(value, { id: componentName(name, io) });
  }
  const ids = new Map<string, string>();
  for (const [name, schemas] of Object.entries(contract)) {
    const schema: z.ZodType = schemas[io];
    // An operation whose input or output is a record as a whole refers to it.
    const id = registry.get(schema)?.id ?? `operation ${name}`;
    if (!registry.has(schema)) registry.add(schema, { id });
    ids.set(name, id);
  }
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => REF + id,
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, io),
  }) as { schemas: Record<string, JsonSchema> };
  const records: Record<string, JsonSchema> = {};
  const { __shared: shared, ...named } = schemas;
  for (const [id, { $id, $schema, ...schema }] of Object.entries(named)) records[id] = schema;
  openShared(records, shared?.$defs ?? {});
  const byOperation = new Map<string, JsonSchema>();
  for (const [name, id] of ids) {
    byOperation.set(name, (id.startsWith('operation ') ? records[id] : undefined) ?? refTo(id));
  }
  return { records, byOperation };
}

/** Whether a schema is a page as operations return it. */
export const isPage = ({ properties }: JsonSchema): boolean =>
  properties !== undefined && 'items' in properties && 'next_cursor' in properties;

export interface Schemas {
  input(name: OperationName): JsonSchema;
  output(name: OperationName): JsonSchema;
  answers(name: OperationName): Answers;
  /** Every record that can be referred to. */
  records: Readonly<Record<string, JsonSchema>>;
}

/** Every operation's input and output as JSON Schema, from the schemas that validate. */
export function describeSchemas(): Schemas {
  const [inputs, outputs] = [schemasOf('input'), schemasOf('output')];
  const output: Schemas['output'] = (name) => outputs.byOperation.get(name) ?? {};
  const answers = (name: OperationName): Answers => {
    const schema = output(name);
    if (isPage(schema)) return 'page';
    return schema.anyOf?.some(isPage) ? 'both' : 'one';
  };
  return {
    input: (name) => inputs.byOperation.get(name) ?? {},
    output,
    answers,
    records: { ...inputs.records, ...outputs.records },
  };
}

function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith(REF)) {
    yield value.$ref.slice(REF.length);
  }
  for (const part of Object.values(value)) yield* refsIn(part);
}

/** The records that something refers to, and those that they refer to, by name. */
export function usedRecords(root: unknown, records: Schemas['records']): Record<string, JsonSchema> {
  const used = new Map<string, JsonSchema>();
  const waiting = [...refsIn(root)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const record = records[name];
    if (!record || used.has(name)) continue;
    used.set(name, record);
    waiting.push(...refsIn(record));
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
