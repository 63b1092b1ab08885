import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/**
 * Has every due time of the site computed again: policies, or hours that they use, have changed. From this
 * transaction on, each change of a ticket uses the new ones; a job does the rest. Does nothing for a site that has
 * never had a policy.
 */
export async function renewSlas(tx: SiteContext): Promise<void> {
  const { rows } = await sql`
    update sites set sla_version = sla_version + 1
    where id = ${tx.site.id} and (sla_version > 0 or exists (select from sla_policies where site_id = ${tx.site.id}))
    returning id`.execute(tx.db);
  if (rows.length === 0) return;
  await tx.enqueue('sla.renew', {}, { key: String(tx.site.id) });
  // Processes cache whether a site has policies for chats.
  await tx.emit({ notices: [{ kind: 'site' }] });
}
