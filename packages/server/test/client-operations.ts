import { describeSchemas, refName } from '../src/http/openapi-schemas.ts';
import type { JsonSchema } from '../src/http/openapi-types.ts';
import type { AnyOperation, RestRoute } from '../src/operation.ts';
import { resources } from '../src/registry.ts';

const schemas = describeSchemas();

const isPage = ({ properties }: JsonSchema): boolean =>
  properties !== undefined && 'next_cursor' in properties;

function answersOf({ name }: AnyOperation): 'one' | 'page' | 'both' {
  const output = schemas.output(name);
  if (isPage(schemas.records[refName(output) ?? ''] ?? output)) return 'page';
  return output.anyOf?.some(isPage) ? 'both' : 'one';
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What an operation is called in the client: its name's verb, save that every list is `list`. */
export function clientMethod(operation: AnyOperation): string {
  return answersOf(operation) === 'one' ? (operation.name.split('.')[1] ?? operation.name) : 'list';
}

function lineOf(operation: AnyOperation, { resource, method, query }: RestRoute): string {
  const fields = [
    `name: '${operation.name}'`,
    `resource: '${resource}'`,
    `method: '${method}'`,
    `answers: '${answersOf(operation)}'`,
    ...(query ? [`query: [${query.map((field) => `'${field}'`).join(', ')}]`] : []),
  ];
  const line = `    ${clientMethod(operation)}: { ${fields.join(', ')} },`;
  if (line.length <= 110) return line;
  return [`    ${clientMethod(operation)}: {`, ...fields.map((field) => `      ${field},`), '    },'].join(
    '\n',
  );
}

/** packages/client/src/operations.ts, made of the registry: a client must not import the server or its schemas. */
export function clientOperations(): string {
  const parts = [...resources].map(([resource, methods]) => {
    const lines = [...methods.values()].flatMap((operation) =>
      operation.rest ? [lineOf(operation, operation.rest)] : [],
    );
    return [`  ${camelCase(resource)}: {`, ...lines, '  },'].join('\n');
  });
  return [
    '// Made of the registry by `npm run docs`; packages/server/test/client.test.ts tells when it must be run.',
    '',
    '/** Each resource of the REST API with its operations, and how they are called. */',
    'export const OPERATIONS = {',
    ...parts,
    '} as const;',
    '',
  ].join('\n');
}
