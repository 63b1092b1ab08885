import { RESOURCE_SUMMARIES } from '../src/http/openapi/resource-summaries.ts';
import { resources } from '../src/registry.ts';

const MARKS = /(?<=<!-- resources: npm run docs writes this table -->\n)[\s\S]*(?=<!-- end of resources -->)/;

/** docs/rest/README.md with the table of the registry's resources. */
export function withResourceTable(page: string): string {
  const rows = [...resources].map(
    ([name, methods]) =>
      `| [\`${name}\`](${name}.md) | ${RESOURCE_SUMMARIES[name] ?? ''} | ${[...methods.keys()].join(', ')} |`,
  );
  return page.replace(
    MARKS,
    ['| resource | what it is | methods |', '|---|---|---|', ...rows, ''].join('\n'),
  );
}
