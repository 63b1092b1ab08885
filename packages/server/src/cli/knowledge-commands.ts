import { IMPORT_MAX_BYTES, type ImportResult } from '@foyer/protocol';
import type { Command } from 'commander';
import { answers } from './answer.ts';
import { readText } from './input-text.ts';
import { siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

function report({ created, updated, unchanged, failed }: ImportResult): string {
  const counts = `Created ${created}, updated ${updated}, unchanged ${unchanged}, failed ${failed.length}.`;
  const places = failed.map(({ index, line, message }) => `  document ${index}, line ${line}: ${message}`);
  return [counts, ...places].join('\n');
}

/** Some documents may fail and the others go in (decisions 7); it is an error when none went in for that. */
const nothingTaken = ({ created, updated, unchanged, failed }: ImportResult): boolean =>
  failed.length > 0 && created + updated + unchanged === 0;

export function addKnowledgeCommands(foyer: Command): void {
  const knowledge = foyer.command('kb').description('the knowledge base that the bot answers from');

  answers<{ site: number }>(
    knowledge
      .command('import')
      .description('import a file of markdown documents; again changes nothing')
      .addOption(siteOption())
      .argument('<file>', 'the file, at most 5 MiB; - reads stdin'),
    async ({ site }, file = '-') => {
      const text = await readText(file, IMPORT_MAX_BYTES);
      return withWorkplace(async ({ run }) => {
        const data = (await run(site, 'articles.import', { text })) as ImportResult;
        return { data, words: report(data), failed: nothingTaken(data) };
      });
    },
  );
}
