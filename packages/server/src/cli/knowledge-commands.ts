import { parse } from 'node:path';
import { Readable } from 'node:stream';
import { IMPORT_MAX_BYTES, type ImportResult, type OutputOf } from '@foyer/protocol';
import type { Command } from 'commander';
import { StartError } from '../base/start-error.ts';
import { writeWhole } from '../base/whole-file.ts';
import { type Answer, answers } from './answer.ts';
import { readText } from './input-text.ts';
import { siteOption } from './option-values.ts';
import { type Workplace, withWorkplace } from './workplace.ts';

type ExportPart = OutputOf<'articles.export'>;
/** Reads the next part of a site's export; each part fits one import. */
type NextPart = (after: number | null) => Promise<ExportPart>;

function report({ created, updated, unchanged, failed }: ImportResult): string {
  const counts = `Created ${created}, updated ${updated}, unchanged ${unchanged}, failed ${failed.length}.`;
  const places = failed.map(({ index, line, message }) => `  document ${index}, line ${line}: ${message}`);
  return [counts, ...places].join('\n');
}

/** A failed document doesn't stop the others; the command fails only if it could import none. */
const nothingTaken = ({ created, updated, unchanged, failed }: ImportResult): boolean =>
  failed.length > 0 && created + updated + unchanged === 0;

const exportOf =
  ({ run }: Workplace, site: number): NextPart =>
  async (after) =>
    (await run(site, 'articles.export', after === null ? {} : { after })) as ExportPart;

async function exportToStdout(nextPart: NextPart): Promise<Answer> {
  const { text, articles, next } = await nextPart(null);
  if (next !== null)
    throw new StartError(
      `The articles exceed the limit of one import (${IMPORT_MAX_BYTES} bytes). Name a file to split them into several.`,
    );
  // The printer adds the last line break itself.
  return { data: { text, articles }, words: text.replace(/\n$/, '') };
}

/** `articles.md`, then `articles-2.md`, `articles-3.md` … */
function partName(file: string, part: number): string {
  const { ext } = parse(file);
  return part === 1 ? file : `${file.slice(0, file.length - ext.length)}-${part}${ext}`;
}

async function exportToFiles(nextPart: NextPart, file: string): Promise<Answer> {
  const files: string[] = [];
  let articles = 0;
  let after: number | null = null;
  do {
    const part: ExportPart = await nextPart(after);
    const name = partName(file, files.length + 1);
    await writeWhole(name, Readable.from([Buffer.from(part.text)]));
    files.push(name);
    articles += part.articles;
    after = part.next;
  } while (after !== null);
  return { data: { files, articles }, words: `Exported ${articles} articles to ${files.join(', ')}.` };
}

/** Adds `kb import` and `kb export`; an export is split into files that each fit one import. */
export function addKnowledgeCommands(foyer: Command): void {
  const knowledge = foyer.command('kb').description('import and export the knowledge base');

  answers<{ site: number }>(
    knowledge
      .command('import')
      .description('import markdown documents; safe to repeat')
      .addOption(siteOption())
      .argument('<file>', 'at most 5 MiB; - reads stdin'),
    async ({ site }, file = '-') => {
      const text = await readText(file, IMPORT_MAX_BYTES);
      return withWorkplace(async ({ run }) => {
        const data = (await run(site, 'articles.import', { text })) as ImportResult;
        return { data, words: report(data), failed: nothingTaken(data) };
      });
    },
  );

  answers<{ site: number }>(
    knowledge
      .command('export')
      .description('export all articles in the import format')
      .addOption(siteOption())
      .argument('[file]', 'an existing file is replaced; omitted or - writes to stdout'),
    async ({ site }, file = '-') =>
      withWorkplace(async (place) => {
        const nextPart = exportOf(place, site);
        return file === '-' ? exportToStdout(nextPart) : exportToFiles(nextPart, file);
      }),
  );
}
