import { AppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { ClamavAway, type ClamavSettings, scanWithClamav, type Verdict } from '../files/clamav.ts';
import type { NewAttachment } from './attachments.ts';

declare module '../core/context.ts' {
  interface Services {
    /** Scans the files of visitors, agents and emails; undefined if there is no scanner. */
    readonly clamav: ClamavSettings | undefined;
  }
}

type File = Pick<NewAttachment, 'name' | 'content'>;

/** @throws AppError 503 if clamd can't scan and files are refused then */
async function verdictOn(ctx: SiteContext, settings: ClamavSettings, { content }: File): Promise<Verdict> {
  try {
    return await scanWithClamav(settings, content);
  } catch (error) {
    if (!(error instanceof ClamavAway)) throw error;
    ctx.log.error({ err: error }, `a file couldn’t be scanned, and is ${settings.whenAway}d`);
    if (settings.whenAway === 'accept') return { state: 'clean' };
    throw new AppError(
      'unavailable',
      'Files can’t be scanned for malware right now. Try again in a moment.',
      {
        reason: 'scan_away',
        headers: { 'retry-after': '30' },
      },
    );
  }
}

/** Why a file isn't stored; undefined if it may be. */
async function problemOf(ctx: SiteContext, file: File): Promise<string | undefined> {
  const settings = ctx.services.clamav;
  if (settings === undefined) return undefined;
  const verdict = await verdictOn(ctx, settings, file);
  if (verdict.state === 'clean') return undefined;
  if (verdict.state === 'unscanned') return settings.whenAway === 'accept' ? undefined : 'too large to scan';
  await ctx.emit({
    audit: {
      subject: 'file',
      subjectId: null,
      label: file.name,
      action: 'files.refuse',
      changes: { malware: [null, verdict.virus] },
    },
  });
  return verdict.virus;
}

/**
 * Call it outside the transaction that stores the files: clamd may take seconds, and the audit log keeps refusals.
 * @throws AppError 400 for a file with malware, or one that is too large to scan; 503
 */
export async function refuseMalware(ctx: SiteContext, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const problem = await problemOf(ctx, file);
    if (problem !== undefined)
      throw new AppError('invalid_input', `${file.name} is refused: ${problem}.`, {
        reason: 'file_refused',
        values: { name: file.name },
      });
  }
}

/**
 * Files of an email or an archive, with malware replaced by a note that says so, because the sender can no longer be
 * notified.
 * @returns the same array if all are clean
 * @throws AppError 503
 */
export async function withoutMalware<F extends File & { contentType: string; contentId: string | null }>(
  ctx: SiteContext,
  files: readonly F[],
): Promise<readonly F[]> {
  const kept: F[] = [];
  for (const file of files) {
    const problem = await problemOf(ctx, file);
    kept.push(
      problem === undefined
        ? file
        : {
            ...file,
            name: `${file.name}.removed.txt`,
            contentType: 'text/plain',
            contentId: null,
            content: Buffer.from(`Foyer removed ${file.name}: ${problem}.\n`),
          },
    );
  }
  return kept.every((file, at) => file === files[at]) ? files : kept;
}
