import { sql } from 'kysely';
import type { Tables } from '../db/tables.generated.ts';
import type { SiteContext } from './context.ts';

/** The records that sample data can contain. */
export type SampleKind = Tables['sample_records']['kind'];

/** Keeps that these records came along, in the transaction that made them. */
export async function markSamples(tx: SiteContext, kind: SampleKind, ids: readonly number[]): Promise<void> {
  await sql`
    insert into sample_records (site_id, kind, record_id, made_at)
    select ${tx.site.id}, ${kind}, id, ${tx.now()} from unnest(${ids}::bigint[]) as id
    on conflict do nothing`.execute(tx.db);
}

/** Whether something of this kind ever came along: what was removed does not come again by itself. */
export async function hadSamples({ db, site }: SiteContext, kind: SampleKind): Promise<boolean> {
  const row = await db
    .selectFrom('sample_records')
    .select('record_id')
    .where('site_id', '=', site.id)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
