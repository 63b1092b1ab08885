import type { TeamRef } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/**
 * The team to assign work to. It can't be deleted until the caller's transaction ends.
 * @throws AppError 404 for an unknown id and for an archived team
 */
export const holdTeam = (tx: SiteContext, id: number): Promise<TeamRef> =>
  tx.db
    .selectFrom('teams')
    .select(['id', 'name', 'emoji'])
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => notFound('team'));

/** Whether all of these ids are teams of the site that aren't archived. */
export async function areTeams({ db, site }: SiteContext, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return true;
  const rows = await db
    .selectFrom('teams')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', 'in', wanted)
    .where('archived_at', 'is', null)
    .execute();
  return rows.length === wanted.length;
}

/** The team of a chat or ticket `of`, as JSON; null if it has none, as most: then nothing is looked up. */
export const teamOf = (
  of: RawBuilder<unknown>,
): RawBuilder<TeamRef | null> => sql`case when ${of}.team_id is not null then (
  select json_build_object('id', tm.id, 'name', tm.name, 'emoji', tm.emoji) from teams tm
  where tm.site_id = ${of}.site_id and tm.id = ${of}.team_id) end`;
