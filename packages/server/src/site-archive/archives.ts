import { randomUUID } from 'node:crypto';
import type { SiteArchive } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../base/errors.ts';
import { readVersion } from '../base/version.ts';
import type { Services, SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import { isAmong } from '../core/vault.ts';
import type { Db } from '../db/database.ts';
import { ARCHIVED } from '../db/site-data.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { type ArchiveState, newArchive, nextStep } from './write.ts';

/** How long an archive can be downloaded. */
const LIFE_MS = 24 * 3_600_000;
/** How long a job works before the next continues. */
const TURN_MS = 20_000;
/** The limit of an archive that is kept in the database for a day; larger ones need the command line. */
const BYTES_MAX = 5 * 1024 ** 3;
const FORGET_EVERY_MS = 600_000;

interface ArchiveRow {
  id: number;
  agent_id: number;
  state: ArchiveState;
  bytes: number;
  parts: number;
  finished_at: Date | null;
  failed: string | null;
  expires_at: Date;
  created_at: Date;
}

const COLUMNS = sql`id, agent_id, state, bytes, parts, finished_at, failed, expires_at, created_at`;

interface Signed {
  siteId: number;
  id: number;
  /** Seconds since 1970. */
  expires: number;
}

const purposeOf = ({ siteId, id, expires }: Signed): string => `site archive ${siteId}-${id} ${expires}`;

function present({ services, site }: SiteContext, row: ArchiveRow): SiteArchive {
  const { id, state, expires_at } = row;
  const expires = Math.floor(expires_at.getTime() / 1000);
  const signature = services.derivedToken(purposeOf({ siteId: site.id, id, expires }));
  return {
    id,
    state: row.failed !== null ? 'failed' : row.finished_at ? 'ready' : 'making',
    done: Math.max(0, Math.min(state.table, ARCHIVED.length)),
    total: ARCHIVED.length,
    records: Object.values(state.rows).reduce((sum, count) => sum + count, 0),
    bytes: row.bytes,
    created_utc: row.created_at.toISOString(),
    expires_utc: expires_at.toISOString(),
    url: row.finished_at
      ? `${services.address.url}/site-archives/${site.id}-${id}?expires=${expires}&signature=${signature}`
      : null,
  };
}

function ownAgent({ actor }: SiteContext): number {
  if (actor.kind !== 'agent') throw new AppError('conflict', 'Use "foyer site export" on the command line.');
  return actor.agentId;
}

async function findOwn(ctx: SiteContext): Promise<ArchiveRow | undefined> {
  const { rows } = await sql<ArchiveRow>`
    select ${COLUMNS} from site_archives
    where site_id = ${ctx.site.id} and agent_id = ${ownAgent(ctx)} and expires_at > ${ctx.now()}
    order by id desc limit 1`.execute(ctx.db);
  return rows[0];
}

/** The calling agent's newest archive; null if there is none or it has expired. */
export async function getArchive(ctx: SiteContext): Promise<{ archive: SiteArchive | null }> {
  const row = await findOwn(ctx);
  return { archive: row ? present(ctx, row) : null };
}

const queueNext = (ctx: SiteContext, id: number): Promise<void> =>
  ctx.enqueue('sites.archive', { archive_id: id }, { key: `${ctx.site.id}:${id}` });

/** Begins an archive; its job is queued in the same transaction. */
export function createArchive(ctx: SiteContext): Promise<{ archive: SiteArchive }> {
  return ctx.transaction(async (tx) => {
    const agentId = ownAgent(tx);
    const now = tx.now();
    await sql`
      delete from site_archives where site_id = ${tx.site.id} and agent_id = ${agentId}`.execute(tx.db);
    const { rows } = await sql<ArchiveRow>`
      insert into site_archives (site_id, agent_id, state, expires_at, created_at)
      values (${tx.site.id}, ${agentId}, ${JSON.stringify(newArchive(randomUUID()))}::jsonb,
        ${new Date(now.getTime() + LIFE_MS)}, ${now})
      returning ${COLUMNS}`.execute(tx.db);
    const [row] = rows;
    if (!row) throw notFound('archive');
    await queueNext(tx, row.id);
    return { archive: present(tx, row) };
  });
}

/**
 * Creates one piece and stores it with the progress, so that after a crash nothing is done twice.
 * @returns whether there is more
 */
function makePart(ctx: SiteContext, id: number, foyer: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<ArchiveRow>`
      select ${COLUMNS} from site_archives
      where site_id = ${tx.site.id} and id = ${id} and finished_at is null and failed is null
      for update skip locked`.execute(tx.db);
    const [row] = rows;
    // Replaced, expired, or taken by another process.
    if (!row) return false;
    const { bytes, state } = await nextStep(tx, row.state, foyer);
    const isTooLarge = row.bytes + bytes.length > BYTES_MAX;
    if (bytes.length > 0)
      await sql`
        insert into site_archive_parts (site_id, archive_id, number, content)
        values (${tx.site.id}, ${id}, ${row.parts + 1}, ${bytes})`.execute(tx.db);
    await sql`
      update site_archives set state = ${JSON.stringify(state)}::jsonb, bytes = bytes + ${bytes.length},
        parts = parts + ${bytes.length > 0 ? 1 : 0}, finished_at = ${state.done && !isTooLarge ? tx.now() : null},
        failed = ${isTooLarge ? 'too large' : null}
      where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    return !state.done && !isTooLarge;
  });
}

/** Creates an archive piece by piece. */
export async function makeArchive(ctx: SiteContext, id: number, turnMs = TURN_MS): Promise<void> {
  const foyer = await readVersion();
  const end = performance.now() + turnMs;
  while (await makePart(ctx, id, foyer)) if (performance.now() > end) return queueNext(ctx, id);
}

export const archiveJobs = [
  job({ name: 'sites.archive', run: (ctx, { archive_id }) => makeArchive(ctx, archive_id) }),
];

/** Deletes expired archives with their bytes. */
export const archiveClock: RecurringJob = {
  name: 'site_archives.forget',
  everyMs: FORGET_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", id from site_archives where expires_at <= ${now}
    order by expires_at limit ${limit}`,
  async run({ db, site }, id) {
    await sql`delete from site_archives where site_id = ${site.id} and id = ${id}`.execute(db);
  },
};

interface ArchiveDownload {
  bytes: number;
  createdAt: Date;
  content: AsyncIterable<Buffer>;
}

async function* partsOf(db: Db, siteId: number, id: number, parts: number): AsyncGenerator<Buffer> {
  for (let number = 1; number <= parts; number += 1) {
    const { rows } = await sql<{ content: Buffer }>`
      select content from site_archive_parts
      where site_id = ${siteId} and archive_id = ${id} and number = ${number}`.execute(db);
    const content = rows[0]?.content;
    if (!content) throw new Error('the archive was deleted while being read');
    yield content;
  }
}

/** The archive of a link that this server has signed; undefined once it has expired. */
export async function findArchiveOfLink(
  db: Db,
  services: Pick<Services, 'derivedToken'>,
  link: Signed & { signature: string },
  now: Date,
): Promise<ArchiveDownload | undefined> {
  if (!isAmong(link.signature, services.derivedToken.all(purposeOf(link)))) return undefined;
  const { rows } = await sql<Pick<ArchiveRow, 'bytes' | 'parts' | 'created_at'>>`
    select bytes, parts, created_at from site_archives
    where site_id = ${link.siteId} and id = ${link.id} and finished_at is not null and expires_at > ${now}`.execute(
    db,
  );
  const [row] = rows;
  return (
    row && {
      bytes: row.bytes,
      createdAt: row.created_at,
      content: partsOf(db, link.siteId, link.id, row.parts),
    }
  );
}
