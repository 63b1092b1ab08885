import type { Agent, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { getAgent } from './agents.ts';

/**
 * Replaces the languages and tags of an agent, by which routing chooses.
 * @throws AppError 404 for an unknown agent or tag
 */
export function setSkills(
  ctx: SiteContext,
  { id, languages, tag_ids }: ParsedInputOf<'agents.set_skills'>,
): Promise<Agent> {
  const tagIds = [...new Set(tag_ids)];
  return ctx.transaction(async (tx) => {
    await getAgent(tx, id);
    await sql`
      update agents set languages = ${[...new Set(languages)]}::text[]
      where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    // A tag that is deleted meanwhile is held until the end, or isn't found.
    const { rows: found } = await sql`
      select from tags where site_id = ${tx.site.id} and id = any (${tagIds}::bigint[]) order by id for key share`.execute(
      tx.db,
    );
    if (found.length < tagIds.length) throw notFound('tag');
    await sql`
      with gone as (
        delete from agent_skills
        where site_id = ${tx.site.id} and agent_id = ${id} and tag_id <> all (${tagIds}::bigint[])
      )
      insert into agent_skills (site_id, agent_id, tag_id)
      select ${tx.site.id}, ${id}, tag_id from unnest(${tagIds}::bigint[]) as tag_id
      on conflict do nothing`.execute(tx.db);
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return getAgent(tx, id);
  });
}
