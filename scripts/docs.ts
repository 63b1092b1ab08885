// Writes the parts of docs/ that are made from the registry. docs.test.ts tells when it must be run.
import { readFileSync, writeFileSync } from 'node:fs';
import { withResourceTable } from '../packages/server/test/doc-table.ts';

const page = new URL('../docs/rest/README.md', import.meta.url);
writeFileSync(page, withResourceTable(readFileSync(page, 'utf8')));
