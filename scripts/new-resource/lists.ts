/** A line that a new resource needs in an existing list. Formatting sorts imports and exports afterwards. */
export interface Insertion {
  file: string;
  /** A text that the file has exactly once; the line is inserted directly after it. */
  anchor: string;
  line: string;
}

const SERVER = 'packages/server';
const PROTOCOL = 'packages/protocol/src';

export const INSERTIONS: readonly Insertion[] = [
  {
    file: `${PROTOCOL}/contract.ts`,
    anchor: "import type { z } from 'zod';\n",
    line: "import { {{camelOne}}Contract } from './sites/{{kebab}}.ts';\n",
  },
  { file: `${PROTOCOL}/contract.ts`, anchor: '  ...siteContract,\n', line: '  ...{{camelOne}}Contract,\n' },
  {
    file: `${PROTOCOL}/index.ts`,
    anchor: "export * from './sites/audit.ts';\n",
    line: "export * from './sites/{{kebab}}.ts';\n",
  },
  {
    file: `${PROTOCOL}/values/tokens/token-scopes.ts`,
    anchor: '  saved_views: BOTH,\n',
    line: '  {{plural}}: BOTH,\n',
  },
  {
    file: `${SERVER}/src/registry.ts`,
    anchor: "import { chatWordClock } from './conversations/search/index-messages.ts';\n",
    line: "import { {{camelOne}}Operations } from './{{kebab}}/operations.ts';\n",
  },
  {
    file: `${SERVER}/src/registry.ts`,
    anchor: '  ...siteOperations,\n',
    line: '  ...{{camelOne}}Operations,\n',
  },
  {
    file: `${SERVER}/src/db/site-data.ts`,
    anchor: "  { name: 'saved_views', without: ['owner_id', 'version'] },\n",
    line: "  { name: '{{plural}}' },\n",
  },
  {
    file: `${SERVER}/src/http/openapi/resource-summaries.ts`,
    anchor: "  saved_views: 'shared filters of tickets',\n",
    line: "  {{plural}}: 'the {{words}} of the site',\n",
  },
  { file: 'scripts/structure/rules.ts', anchor: "  ['sites'],\n", line: "  ['{{kebab}}'],\n" },
  {
    file: `${SERVER}/test/examples.ts`,
    anchor: "    make(app, site, 'saved_views', { name: 'Urgent', filter: { priority: 'urgent' } }),\n",
    line: `  {{singular}}: (app, site) => make(app, site, '{{plural}}', { name: \`{{wordsOne}} \${randomUUID()}\` }),
`,
  },
  {
    file: `${SERVER}/test/examples.ts`,
    anchor: "  'saved_views.delete': () => ({ id: ID }),\n",
    line: `  '{{plural}}.list': () => ({}),
  '{{plural}}.create': () => ({ name: \`{{wordsOne}} \${randomUUID()}\` }),
  '{{plural}}.update': () => ({ id: ID, name: \`{{wordsOne}} \${randomUUID()}\` }),
  '{{plural}}.delete': () => ({ id: ID }),
`,
  },
  {
    file: `${SERVER}/test/plans.test.ts`,
    anchor: "  'saved_views.list': { id: () => [1] },\n",
    line: "  '{{plural}}.list': { id: () => [1] },\n",
  },
  {
    file: `${SERVER}/test/personal-tables.ts`,
    anchor: "      'saved_views',\n",
    line: "      '{{plural}}',\n",
  },
  {
    file: `${SERVER}/test/plan-data.ts`,
    anchor: '(select min(id) as first from tags) t`,\n  );\n',
    line: `  await insert(
    ctx,
    sql\`insert into {{plural}} (site_id, name) select \${site}, '{{wordsOne}} ' || n from \${numbers(5_000)}\`,
  );
`,
  },
];

/** The new files by their template; `{{migration}}` is the next free number. */
export const FILES: Readonly<Record<string, string>> = {
  contract: `${PROTOCOL}/sites/{{kebab}}.ts`,
  migration: `${SERVER}/migrations/{{migration}}_{{plural}}.sql`,
  domain: `${SERVER}/src/{{kebab}}/{{kebab}}.ts`,
  operations: `${SERVER}/src/{{kebab}}/operations.ts`,
  test: `${SERVER}/src/{{kebab}}/{{kebab}}.test.ts`,
  story: `${SERVER}/test/doc-stories/{{kebab}}.ts`,
  page: 'docs/rest/{{plural}}.md',
};

/** @throws Error where the anchor isn't there exactly once. */
export function insert(text: string, { file, anchor, line }: Insertion): string {
  const parts = text.split(anchor);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${anchor.trim()}`);
  return parts.join(anchor + line);
}
