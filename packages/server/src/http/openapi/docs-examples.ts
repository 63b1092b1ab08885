import { type Answers, clientMethod, clientResource } from '../../core/client-names.ts';
import type { AnyOperation, RestRoute } from '../../core/operation.ts';
import { schemaOf } from './operations.ts';
import { Sampler } from './samples.ts';
import type { DescribedOperation, JsonSchema } from './types.ts';

type Records = Readonly<Record<string, JsonSchema>>;
type Fields = Readonly<Record<string, unknown>>;

/** The characters that fit beside a description without scrolling. */
const LINE = 58;

/**
 * JSON with line breaks only where a value doesn't fit into its line.
 * @param before characters that come before it in its line
 */
export function prettyJson(value: unknown, indent = '', before = 0): string {
  const flat = JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/\[ | \]/g, (mark) => mark.trim());
  if (typeof value !== 'object' || value === null || indent.length + before + flat.length <= LINE)
    return flat;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => inner + prettyJson(part, inner))
    : Object.entries(value).map(
        ([name, part]) => `${inner}"${name}": ${prettyJson(part, inner, name.length + 4)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

/** The content of an example request. */
interface Sent {
  query: Fields;
  body: Fields | undefined;
}

/** Only required query parameters and `since`; the body is the documented example. */
export function sentBy(operation: DescribedOperation, records: Records): Sent {
  const sampler = new Sampler(records, 'required');
  const named = operation.parameters.flatMap((one) => ('name' in one && one.in === 'query' ? [one] : []));
  const shown = named.filter(({ name, required }) => required || name === 'since');
  const query = Object.fromEntries(
    shown.map((one) => [one.name, sampler.of(schemaOf(one), operation.tags[0], one.name)]),
  );
  const body = operation.requestBody?.content['application/json'].example;
  return { query, body: typeof body === 'object' && body !== null ? { ...body } : undefined };
}

/** The call for a shell, as in docs/rest. */
export function curlOf(baseUrl: string, { resource, method }: RestRoute, { query, body }: Sent): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const address = `${baseUrl}/v1/${resource}${search.size > 0 ? `?${search}` : ''}`;
  const verb = method === 'GET' || method === 'POST' ? '' : `-X ${method} `;
  const lines = [`curl ${verb}"${address}"`, '-H "Authorization: Bearer $TOKEN"'];
  if (body) {
    const json = prettyJson(body, '  ').replaceAll("'", "'\\''");
    lines.push('-H "Content-Type: application/json"', `-d '${json}'`);
  }
  return lines.join(' \\\n  ');
}

/** JSON as a TypeScript literal: unquoted names where possible, single quotes. */
const literal = (value: unknown): string =>
  prettyJson(value)
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')
    .replace(
      /"((?:[^"\\]|\\.)*)"/g,
      (_, text: string) => `'${text.replaceAll("'", "\\'").replaceAll('\\"', '"')}'`,
    );

/** The call in TypeScript (docs/client.md). */
export function clientCallOf(
  operation: AnyOperation,
  { resource }: RestRoute,
  answers: Answers,
  sent: Sent,
): string {
  const input = { ...sent.query, ...sent.body };
  const args = Object.keys(input).length > 0 ? literal(input) : '';
  const target = `foyer.${clientResource(resource)}`;
  if (answers === 'one')
    return `const answer = await ${target}.${clientMethod(operation, answers)}(${args});`;
  const all = `for await (const one of ${target}.all(${args})) {\n  console.log(one);\n}`;
  if (answers === 'page') return all;
  const key = resource === 'visitors' ? `{ key: 'user_42' }` : '{ id: 42 }';
  return `${all}\n\nconst one = await ${target}.get(${key});`;
}
