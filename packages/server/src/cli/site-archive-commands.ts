import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { reasonOf, StartError } from '../base/start-error.ts';
import { readVersion } from '../base/version.ts';
import { writeWhole } from '../base/whole-file.ts';
import type { SiteContext } from '../core/context.ts';
import { importSite } from '../site-archive/read.ts';
import { newArchive, nextStep } from '../site-archive/write.ts';
import { audited } from '../sites/audit/audited.ts';
import { type Answer, answers } from './answer.ts';
import { siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

async function* archiveOf(ctx: SiteContext, rows: Record<string, number>): AsyncGenerator<Buffer> {
  const foyer = await readVersion();
  let state = newArchive(randomUUID());
  while (!state.done) {
    const step = await nextStep(ctx, state, foyer);
    state = step.state;
    if (step.bytes.length > 0) yield step.bytes;
  }
  Object.assign(rows, state.rows);
}

const sumOf = (rows: Record<string, number>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);

async function exportTo(site: number, file: string): Promise<Answer> {
  return withWorkplace(async ({ siteContext }) => {
    const ctx = await siteContext(site);
    const rows: Record<string, number> = {};
    await audited(ctx, { subject: 'site', action: 'site.export' }, async () => undefined);
    await writeWhole(file, Readable.from(archiveOf(ctx, rows), { objectMode: false }));
    const { size: bytes } = await stat(file);
    return {
      data: { file, bytes, rows },
      words: `Exported ${sumOf(rows)} records of site ${site} to ${file} (${bytes} bytes). It contains personal data: keep it safe.`,
    };
  });
}

async function importFrom(site: number, file: string, replace: boolean): Promise<Answer> {
  await access(file).catch((error) => {
    throw new StartError(`${file} can't be read (${reasonOf(error)}).`);
  });
  return withWorkplace(async ({ siteContext }) => {
    const ctx = await siteContext(site);
    const report = await importSite(ctx, () => createReadStream(file), { replace });
    await audited(ctx, { subject: 'site', action: 'site.import' }, async () => undefined);
    const refused = report.not_taken.map(({ table, reason }) => `  ${table}: ${reason}`);
    return {
      data: report,
      words: [
        `Imported ${sumOf(report.taken)} records into site ${site}; skipped ${report.not_taken_count}.`,
        ...refused,
      ].join('\n'),
    };
  });
}

const EXPORT_HELP = `
The file is a gzipped tar archive; docs/data.md describes its contents. It contains no secrets: no passwords, tokens,
links or webhook secrets.`;

const IMPORT_HELP = `
The site must be empty. Agents in the archive are imported as former agents: invite them again. To continue an
interrupted import, run the same command again.`;

/** Adds `export` and `import` to the given `site` command, not to the root. */
export function addSiteArchiveCommands(site: Command): void {
  answers<{ site: number }>(
    site
      .command('export')
      .description('export everything of a site to one archive, even while the server runs')
      .addOption(siteOption())
      .argument('<file>', 'the archive to write; an existing file is replaced')
      .addHelpText('after', EXPORT_HELP),
    (input, file = '') => exportTo(input.site, resolve(file)),
  );
  answers<{ site: number; replace?: boolean }>(
    site
      .command('import')
      .description('import an archive into a new site')
      .addOption(siteOption())
      .option('--replace', 'first delete what the site contains, at most 200 records')
      .argument('<file>', 'a file written by "foyer site export"')
      .addHelpText('after', IMPORT_HELP),
    (input, file = '') => importFrom(input.site, resolve(file), input.replace === true),
  );
}
