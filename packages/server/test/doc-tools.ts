import { deskTools } from '../src/http/mcp/tools.ts';

const MARKS = /(?<=<!-- tools: npm run docs writes this table -->\n)[\s\S]*(?=<!-- end of tools -->)/;

/** docs/mcp.md with the table of the registry's tools. */
export function withToolTable(page: string): string {
  const rows = [...deskTools.values()].map(({ operation: { summary, scope, rest, tool } }) => {
    const mark = tool?.destructive ? ' ¹' : '';
    const same = rest ? `${rest.method} [\`${rest.resource}\`](rest/${rest.resource}.md)` : '';
    return `| \`${tool?.name}\`${mark} | ${summary} | \`${scope}\` | ${same} |`;
  });
  const head = ['| tool | what it does | scope | over REST |', '|---|---|---|---|'];
  return page.replace(MARKS, [...head, ...rows, ''].join('\n'));
}
