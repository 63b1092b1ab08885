import { sql } from 'kysely';
import type { Tables } from '../db/tables.generated.ts';
import type { SiteContext } from './context.ts';

/** The records that sample data can contain. */
export type SampleKind = Tables['sample_records']['kind'];

/** Marks records as sample data, in the transaction that creates them. */
export async function markSamples(tx: SiteContext, kind: SampleKind, ids: readonly number[]): Promise<void> {
  await sql`
    insert into sample_records (site_id, kind, record_id, made_at)
    select ${tx.site.id}, ${kind}, id, ${tx.now()} from unnest(${ids}::bigint[]) as id
    on conflict do nothing`.execute(tx.db);
}

/** Whether the site ever had sample data of this kind: deleted samples aren't created again automatically. */
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
