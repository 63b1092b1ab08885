import { contract, type OperationName } from '@foyer/protocol';
import { z } from 'zod';

interface JsonSchema {
  type?: string;
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $defs?: Record<string, JsonSchema>;
}

/** A field of an operation's input: `ids`, `requester.key`. */
export interface InputField {
  path: string;
  /** Its type; `id[]` is a list of numbers. */
  types: readonly string[];
  required: boolean;
}

const REFERENCE = '#/$defs/';

/** The schema itself and every alternative of it. */
function alternatives(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const target = $ref?.startsWith(REFERENCE) ? defs[$ref.slice(REFERENCE.length)] : undefined;
  const inner = [...anyOf, ...oneOf, ...allOf, ...(target ? [target] : [])];
  return [schema, ...inner.flatMap((one) => alternatives(one, defs))];
}

/** Rules of segments contain rules: no id is deeper than this. */
const DEPTH_MAX = 4;

function fieldsIn(
  schema: JsonSchema,
  defs: Record<string, JsonSchema>,
  above: string,
  depth = 0,
): InputField[] {
  if (depth > DEPTH_MAX) return [];
  return alternatives(schema, defs).flatMap((one) => [
    ...(one.items ? fieldsIn(one.items, defs, above, depth + 1) : []),
    ...Object.entries(one.properties ?? {}).flatMap(([name, field]) => {
      const path = `${above}${name}`;
      const types = alternatives(field, defs).flatMap(({ type, items }) =>
        type === 'array' ? [`${items?.type ?? 'unknown'}[]`] : type ? [type] : [],
      );
      const own = { path, types, required: one.required?.includes(name) ?? false };
      return [own, ...fieldsIn(field, defs, `${path}.`, depth + 1)];
    }),
  ]);
}

/** Every field of an operation's input at any depth, each path once. */
export function inputFields(name: OperationName): InputField[] {
  const schema = z.toJSONSchema(contract[name].input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const byPath = new Map<string, InputField>();
  for (const field of fieldsIn(schema, schema.$defs ?? {}, '')) {
    const known = byPath.get(field.path);
    byPath.set(field.path, { ...field, types: [...(known?.types ?? []), ...field.types] });
  }
  return [...byPath.values()];
}

/**
 * Whether a field's name says that it contains the id of a record: `id`, `ids`, `agent_id`, `sessionId`, `into_key`. A
 * `client_id` doesn't: its caller generates it, so that a retry stores nothing twice.
 */
export function namesRecord({ path }: InputField): boolean {
  const name = path.split('.').at(-1) ?? '';
  return name !== 'client_id' && /(^|_)(id|ids|key|keys)$|Id$/.test(name);
}
