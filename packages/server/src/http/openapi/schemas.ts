import * as protocol from '@foyer/protocol';
import { contract, type OperationName } from '@foyer/protocol';
import { z } from 'zod';
import type { Answers } from '../../core/client-names.ts';
import type { JsonSchema } from './types.ts';

type Io = 'input' | 'output';

/** Whether a schema is a component: a record that protocol exports. Scalars, lists and maps are inlined. */
const isRecord = (value: unknown): value is z.ZodType =>
  value instanceof z.ZodObject || value instanceof z.ZodUnion || value instanceof z.ZodLazy;

/** Requests have their own components: fields with defaults are optional, and text isn't trimmed yet. */
const componentName = (name: string, io: Io): string =>
  name.charAt(0).toUpperCase() + name.slice(1) + (io === 'input' ? 'Input' : '');

const REF = '#/components/schemas/';
/** A reference; the caller makes sure that the component exists. */
export const refTo = (name: string): JsonSchema => ({ $ref: REF + name });
/** The name of the component that a schema refers to; undefined if it is no reference. */
export const refName = ({ $ref }: JsonSchema): string | undefined => $ref?.slice(REF.length);

/** Rewrites `anyOf: [X, null]` of a plain type as a list of types. */
function mergeNull(schema: JsonSchema): void {
  const [first, second] = schema.anyOf ?? [];
  if (schema.anyOf?.length !== 2 || second?.type !== 'null' || typeof first?.type !== 'string') return;
  if (first.enum ?? first.const ?? first.anyOf) return;
  const { type, ...rest } = first;
  delete schema.anyOf;
  Object.assign(schema, rest, { ...schema, type: [type, 'null'] });
}

/** Recognises `z.json()`, which is recursive: zod writes it as a choice of all types. */
const isAnyJson = ({ anyOf = [] }: JsonSchema): boolean =>
  ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) =>
    anyOf.some((choice) => choice.type === type),
  );

/** Replaces zod's shared definitions: any JSON value becomes `{}`, everything else gets a name. */
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

/** Removes what zod adds and a reader doesn't need. */
function tidy(schema: JsonSchema, io: Io): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // Responses may gain fields within /v1/.
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
    // An operation whose whole input or output is a record refers to its component.
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
  /** All components by name. */
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

/** The components that `root` refers to, directly or through other components, by name. */
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
