import type { SiteContext } from '../context.ts';

/** Whether all of these are agents of the site now: whoever was removed is none. */
export async function areAgents({ db, site }: SiteContext, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return true;
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', 'in', wanted)
    .where('removed_at', 'is', null)
    .execute();
  return rows.length === wanted.length;
}
