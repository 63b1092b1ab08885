import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A shorter schema costs less than a reference to it. */
const SHARED_MIN_CHARS = 300;

/** Not the `properties` of a schema, in which a field may be called `type`. */
const isSchema = (value: object): boolean =>
  ('type' in value && (typeof value.type === 'string' || Array.isArray(value.type))) ||
  ('anyOf' in value && Array.isArray(value.anyOf)) ||
  ('oneOf' in value && Array.isArray(value.oneOf));

/** Keywords with values, which may look like schemas. */
const VALUES = new Set(['examples', 'default', 'const', 'enum']);

/**
 * Moves repeated parts of a schema into shared definitions: every model reads the list of tools first, and a rule
 * nested three deep would otherwise be repeated at each of its places.
 */
function share(schema: JsonSchema): JsonSchema {
  const seen = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isSchema(value)) {
      const text = JSON.stringify(value);
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      // Its parts were counted the first time and are shared with it.
      if (times > 1) return;
    }
    for (const [key, part] of Object.entries(value)) if (!VALUES.has(key)) count(part);
  };
  count(schema);

  const names = new Map<string, string>();
  const shared: Record<string, unknown> = {};
  const rewrite = (value: object): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    const parts = Object.entries(value);
    return Object.fromEntries(parts.map(([key, part]) => [key, VALUES.has(key) ? part : replace(part)]));
  };
  const replace = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const text = isSchema(value) ? JSON.stringify(value) : '';
    if (text.length < SHARED_MIN_CHARS || (seen.get(text) ?? 0) < 2) return rewrite(value);
    const name = names.get(text) ?? `shared${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      shared[name] = rewrite(value);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const written: JsonSchema = JSON.parse(JSON.stringify(rewrite(schema)));
  if (names.size === 0) return written;
  return { ...written, $defs: JSON.parse(JSON.stringify({ ...written.$defs, ...shared })) };
}

/** The JSON Schema of a contract's schema, without parts that only make it longer for a model. */
export function toToolSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // The format already says this.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return share(json);
}
