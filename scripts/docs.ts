// Generates files from the registry: the table in docs/rest, and the client's operations. Tests fail when it must be
// run.
import { readFileSync, writeFileSync } from 'node:fs';
import { clientOperations } from '../packages/server/test/client-operations.ts';
import { withLimitTable } from '../packages/server/test/doc-limits.ts';
import { withResourceTable } from '../packages/server/test/doc-table.ts';
import { withToolTable } from '../packages/server/test/doc-tools.ts';

const page = new URL('../docs/rest/README.md', import.meta.url);
writeFileSync(page, withResourceTable(readFileSync(page, 'utf8')));
const limits = new URL('../docs/operations/limits.md', import.meta.url);
writeFileSync(limits, withLimitTable(readFileSync(limits, 'utf8')));
const tools = new URL('../docs/mcp.md', import.meta.url);
writeFileSync(tools, withToolTable(readFileSync(tools, 'utf8')));
writeFileSync(new URL('../packages/client/src/operations.ts', import.meta.url), clientOperations());
