import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { lockKnowledge } from '../knowledge-version.ts';

/** Longer than one step takes: a request of 20 s, and reading its response (`extract/extract-file.ts`). */
const LEASE_MS = 150_000;

/** A page or sitemap that this worker alone reads for now. */
export interface Leased {
  readonly id: number;
  readonly kind: 'page' | 'sitemap';
  readonly address: string;
  readonly list_due: boolean;
  readonly failures: number;
  readonly token: string;
}

const leaseEnd = (ctx: SiteContext): Date => new Date(ctx.now().getTime() + LEASE_MS);

/**
 * Claims a source that is due, so that no other worker reads it, nor another source of the site at the same host.
 * Undefined if it isn't due, or already claimed.
 */
export function claimSource(ctx: SiteContext, id: number): Promise<Leased | undefined> {
  return ctx.transaction(async (tx) => {
    // Two sources of one host can't both find the other free.
    await lockKnowledge(tx);
    const { rows } = await sql<Leased>`
      update knowledge_sources s set lease_token = ${randomUUID()}, lease_until = ${leaseEnd(tx)}
      where s.site_id = ${tx.site.id} and s.id = ${id} and s.next_read_at <= ${tx.now()} and not exists (
        select from knowledge_sources o
        where o.site_id = s.site_id and (o.id = s.id or o.host = s.host) and o.lease_until > ${tx.now()})
      returning s.id, s.kind, s.address, s.list_due, s.failures, s.lease_token as token`.execute(tx.db);
    return rows[0];
  });
}

/**
 * Changes a source that is still this worker's, in the caller's transaction, and extends the lease.
 * @returns false if the lease was lost, or the source was deleted: then nothing may be written
 */
export async function renewLease(
  tx: SiteContext,
  { id, token }: Pick<Leased, 'id' | 'token'>,
  change: RawBuilder<unknown> = sql``,
): Promise<boolean> {
  const { rows } = await sql`
    update knowledge_sources set lease_until = ${leaseEnd(tx)} ${change}
    where site_id = ${tx.site.id} and id = ${id} and lease_token = ${token} returning id`.execute(tx.db);
  return rows.length > 0;
}

/** Releases the source to other workers. */
export async function releaseSource(
  { db, site }: SiteContext,
  { id, token }: Pick<Leased, 'id' | 'token'>,
): Promise<void> {
  await sql`
    update knowledge_sources set lease_token = null, lease_until = null
    where site_id = ${site.id} and id = ${id} and lease_token = ${token}`.execute(db);
}
