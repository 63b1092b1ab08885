import type { ArchiveFound } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import { sql } from 'kysely';
import { toAppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { lookIntoArchive } from '../site-archive/entries.ts';
import { findStanding } from '../site-archive/import-progress.ts';
import { importSite } from '../site-archive/read.ts';
import { bytesOf } from '../site-archive/tar.ts';
import { audited } from '../sites/audit/audited.ts';
import { lookIntoCsv } from './csv-file.ts';
import { bringFile } from './csv-work.ts';
import { customFields } from './custom-cells.ts';
import { dropFile, openFile } from './files.ts';
import { auditOf, isArchive } from './imports.ts';
import { findImportRow, type ImportRow } from './rows.ts';
import { readTicket } from './ticket-rows.ts';
import { readVisitor } from './visitor-rows.ts';

/** Reading a large archive takes long; the heartbeat shows whether a worker has died. */
const EXPIRE_S = 12 * 3_600;
/** How long a file is kept if nobody imports it. */
const FILE_KEPT_DAYS = 1;
/** How long the result is kept. */
const KEPT_DAYS = 7;
const FORGET_EVERY_MS = 600_000;

const ownerOf = ({ kind }: ImportRow): FieldOwner => (kind === 'tickets' ? 'tickets' : 'people');

async function look(ctx: SiteContext, row: ImportRow): Promise<void> {
  const file = openFile(ctx, row);
  const found =
    row.kind === 'archive'
      ? await lookIntoArchive(file)
      : await lookIntoCsv(row.kind, await bytesOf(file), await customFields(ctx, ownerOf(row)));
  await sql`
    update imports set found = ${JSON.stringify(found)}::jsonb
    where site_id = ${ctx.site.id} and id = ${row.id}`.execute(ctx.db);
}

async function putArchiveIn(ctx: SiteContext, row: ImportRow, found: ArchiveFound): Promise<void> {
  const standing = await findStanding(ctx);
  const isIn = standing?.archive_id === found.id && standing.finished_at;
  // Set if the process died between the end of the import and recording it.
  if (!isIn) await importSite(ctx, () => openFile(ctx, row), { replace: row.chosen?.replace ?? false });
}

/** @returns whether everything is imported; false if it was stopped, or another worker has it */
async function putRowsIn(ctx: SiteContext, row: ImportRow): Promise<boolean> {
  const { id, position } = row;
  const read = row.kind === 'visitors' ? readVisitor : readTicket;
  const columns = row.chosen?.columns ?? [];
  return bringFile(ctx.quietly(), await bytesOf(openFile(ctx, row)), {
    ...{ id, columns, position, read },
    owner: ownerOf(row),
  });
}

async function putIn(ctx: SiteContext, row: ImportRow): Promise<void> {
  const agent = { kind: 'agent', agentId: row.agent_id, name: row.agent_name, role: 'admin' } as const;
  const own = ctx.as(agent);
  if (row.found && isArchive(row.found)) await putArchiveIn(own, row, row.found);
  else if (!(await putRowsIn(own, row))) return;
  await audited(own, auditOf(row), async (tx) => {
    await sql`
      update imports set finished_at = ${tx.now()},
        -- The samples of the first rows, shown to choose columns, are personal data.
        found = case when found ? 'samples' then found || '{"samples": []}' else found end
      where site_id = ${tx.site.id} and id = ${row.id}`.execute(tx.db);
    await dropFile(tx, row.id);
    await tx.emit({ notices: [{ kind: 'lists' }] });
  });
}

async function giveUp(ctx: SiteContext, row: ImportRow, error: unknown): Promise<void> {
  const { code, message, reason, values } = toAppError(error);
  // The database is down: the job will be retried.
  if (code === 'unavailable') throw error;
  if (code === 'internal') ctx.log.error({ err: error, import_id: row.id }, 'an import failed');
  await sql`
    update imports set failure = ${JSON.stringify({ code, message, reason, values })}::jsonb
    where site_id = ${ctx.site.id} and id = ${row.id}`.execute(ctx.db);
  await ctx.emit({ notices: [{ kind: 'lists' }] });
  // A file that isn't an archive is useless; later errors continue from where they happened.
  if (!row.found) await dropFile(ctx, row.id);
}

/** Checks or imports a file, continuing where an earlier worker stopped. */
export async function workOnImport(ctx: SiteContext, id: number): Promise<void> {
  const row = await findImportRow(ctx, id);
  if (!row || row.finished_at || row.failure) return;
  try {
    if (row.begun_at) await putIn(ctx, row);
    else if (!row.found) await look(ctx, row);
  } catch (error) {
    await giveUp(ctx, row, error);
  }
}

export const importJobs = [
  job({
    name: 'imports.work',
    workers: 1,
    expireS: EXPIRE_S,
    retries: { limit: 50, delayS: 1, maxDelayS: 60 },
    run: (ctx, { import_id }) => workOnImport(ctx, import_id),
  }),
];

/** Deletes files that wait too long, and later their results. */
export const importClock: RecurringJob = {
  name: 'imports.forget',
  everyMs: FORGET_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", id from imports
    where created_at < ${now}::timestamptz - make_interval(days => ${FILE_KEPT_DAYS})
      and (begun_at is null or created_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS}))
      and (begun_at is null or finished_at is not null or failure is not null)
    order by created_at limit ${limit}`,
  async run({ db, site }, id) {
    await sql`delete from imports where site_id = ${site.id} and id = ${id}`.execute(db);
  },
};
