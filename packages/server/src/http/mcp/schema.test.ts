import { expect, it } from 'vitest';
import { z } from 'zod';
import { toToolSchema } from './schema.ts';

const large = z.strictObject(
  Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`a_field_with_a_long_name_${at}`, z.string().max(at + 1)]),
  ),
);

it('names a part that occurs more than once', () => {
  const schema = toToolSchema(z.object({ one: large, more: z.array(large) }), 'output');
  expect(schema.properties?.one).toEqual({ $ref: '#/$defs/shared0' });
  expect(schema.properties?.more).toEqual({ type: 'array', items: { $ref: '#/$defs/shared0' } });
  const { $schema: _, ...alone } = z.toJSONSchema(large);
  expect(schema.$defs).toEqual({ shared0: alone });
});

it('leaves a part that occurs once, or is short, where it is', () => {
  const schema = toToolSchema(z.object({ one: large, a: z.string(), b: z.string() }), 'output');
  expect(JSON.stringify(schema)).not.toContain('$ref');
});

it('mistakes neither the fields of an object nor an example for a schema', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [at === 0 ? 'type' : `a_field_with_a_long_name_${at}`, z.string()]),
  );
  const example = { type: 'reply', body: 'x'.repeat(400) };
  const [one, two] = [z.object(fields), z.looseObject(fields)];
  const schema = toToolSchema(z.object({ one, two: two.meta({ examples: [example, example] }) }), 'output');
  expect(Object.keys(schema.properties?.one ?? {})).toContain('properties');
  expect(schema.$defs).toBeUndefined();
  expect(JSON.stringify(schema)).not.toContain('$ref');
});

it('writes no pattern beside the format of a time', () => {
  expect(toToolSchema(z.object({ at: z.iso.datetime() }), 'output').properties?.at).toEqual({
    type: 'string',
    format: 'date-time',
  });
});
