import { clientMethod, clientResource } from '../src/core/client-names.ts';
import type { AnyOperation, RestRoute } from '../src/core/operation.ts';
import { describeSchemas } from '../src/http/openapi/schemas.ts';
import { resources } from '../src/registry.ts';

const schemas = describeSchemas();

function lineOf(operation: AnyOperation, { resource, method, query }: RestRoute): string {
  const answers = schemas.answers(operation.name);
  const verb = clientMethod(operation, answers);
  const fields = [
    `name: '${operation.name}'`,
    ...(operation.name.startsWith(`${resource}.`) ? [] : [`resource: '${resource}'`]),
    `method: '${method}'`,
    `answers: '${answers}'`,
    ...(query ? [`query: [${query.map((field) => `'${field}'`).join(', ')}]`] : []),
  ];
  const line = `    ${verb}: { ${fields.join(', ')} },`;
  if (line.length <= 110) return line;
  return [`    ${verb}: {`, ...fields.map((field) => `      ${field},`), '    },'].join('\n');
}

/** packages/client/src/operations.ts, generated from the registry: clients can't import the server or its schemas. */
export function clientOperations(): string {
  const parts = [...resources].map(([resource, methods]) => {
    const lines = [...methods.values()].flatMap((operation) =>
      operation.rest ? [lineOf(operation, operation.rest)] : [],
    );
    return [`  ${clientResource(resource)}: {`, ...lines, '  },'].join('\n');
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
