import type { SiteContext } from '../../core/context.ts';

/** The ids of the site's current admins. */
export async function adminIds({ db, site }: SiteContext): Promise<number[]> {
  const admins = await db
    .selectFrom('agents')
    .select('id')
    .where('site_id', '=', site.id)
    .where('role', '=', 'admin')
    .where('removed_at', 'is', null)
    .execute();
  return admins.map(({ id }) => id);
}
