import { sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { renewSlas } from '../sites/sla-version.ts';
import type { Placing, Refused } from './archive-rows.ts';
import type { ArchiveManifest } from './manifest.ts';
import { clearTrial, recordsOf } from './trial-data.ts';

/** The progress of a site's archive import. */
interface Standing {
  archive_id: string;
  entry: number;
  taken: Record<string, number>;
  refused: Refused[];
  refused_count: number;
  finished_at: Date | null;
}

/** Undefined if the site never imported an archive. `lock` is appended to the statement, such as `for update`. */
export async function findStanding({ db, site }: SiteContext, lock = sql``): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select archive_id, entry, taken, refused, refused_count, finished_at from site_imports
    where site_id = ${site.id} ${lock}`.execute(db);
  return rows[0];
}

/** @throws AppError 409 for a site that has records, unless they are trial records that may be replaced. */
function checkRoom({ counts, is_trial }: Awaited<ReturnType<typeof recordsOf>>, replace: boolean): void {
  const [used] = counts;
  if (!used || (replace && is_trial)) return;
  throw new AppError('conflict', `This site already has ${used.kind}. Import into a new site.`, {
    reason: 'site_in_use',
  });
}

/**
 * Checks that an archive can be imported, or its import continued.
 * @param replace whether trial records may be deleted first
 * @throws AppError 409 for a site that is in use, or has another import.
 */
export async function checkImport(
  ctx: SiteContext,
  { id }: Pick<ArchiveManifest, 'id'>,
  replace: boolean,
): Promise<Standing | undefined> {
  const known = await findStanding(ctx);
  if (known?.finished_at)
    throw new AppError('conflict', 'An archive was already imported into this site. Create a new site.', {
      reason: 'import_twice',
    });
  if (known && known.archive_id !== id)
    throw new AppError(
      'conflict',
      'This site has an unfinished import of another archive. Continue with that one.',
      { reason: 'import_other' },
    );
  if (!known) checkRoom(await recordsOf(ctx), replace);
  return known;
}

/** Begins an import, or continues the one that has begun. @throws AppError 409 as `checkImport` */
export function beginImport(ctx: SiteContext, manifest: ArchiveManifest, replace: boolean): Promise<void> {
  return ctx.transaction(async (tx) => {
    // The lock makes two calls at once begin a single import.
    await sql`select from sites where id = ${tx.site.id} for no key update`.execute(tx.db);
    if (await checkImport(tx, manifest, replace)) return;
    if (replace) await clearTrial(tx);
    await sql`
      insert into site_imports (site_id, archive_id, entry, begun_at)
      values (${tx.site.id}, ${manifest.id}, 0, ${tx.now()})`.execute(tx.db);
  });
}

/**
 * Imports an entry unless it has been, and records so in the same transaction: of two calls at once, only one imports
 * it.
 */
export function once(
  ctx: SiteContext,
  placing: Placing,
  entry: number,
  put: (tx: SiteContext) => Promise<void>,
): Promise<void> {
  return ctx.transaction(async (tx) => {
    const standing = await findStanding(tx, sql`for update`);
    if (!standing) return;
    const { taken, refused, refused_count: refusedCount } = standing;
    Object.assign(placing, { taken, refused, refusedCount });
    if (standing.entry >= entry) return;
    await put(tx);
    await sql`
      update site_imports set entry = ${entry}, taken = ${JSON.stringify(placing.taken)}::jsonb,
        refused = ${JSON.stringify(placing.refused)}::jsonb, refused_count = ${placing.refusedCount}
      where site_id = ${tx.site.id}`.execute(tx.db);
  });
}

/**
 * Ends an import. Articles get versions above all that the site has had, so that an index with the same version
 * number from before is rebuilt.
 */
export function finishImport(ctx: SiteContext): Promise<void> {
  return ctx.transaction(async (tx) => {
    const { db, site } = tx;
    const { rows } = await sql<{ step: number }>`
      select knowledge_version + 1 as step from sites where id = ${site.id} for no key update`.execute(db);
    const step = rows[0]?.step ?? 0;
    await sql`update articles set version = version + ${step} where site_id = ${site.id}`.execute(db);
    await sql`
      update article_drafts set base_version = base_version + ${step}
      where site_id = ${site.id} and base_version is not null`.execute(db);
    await sql`
      update sites set segments_version = gen_random_uuid(), knowledge_version = greatest(
        knowledge_version + 1, (select max(version) from articles where site_id = ${site.id})
      ) where id = ${site.id}`.execute(db);
    await renewSlas(tx);
    await sql`update site_imports set finished_at = ${tx.now()} where site_id = ${site.id}`.execute(db);
    await tx.emit({ notices: [{ kind: 'site' }, { kind: 'agents' }, { kind: 'lists' }] });
  });
}
