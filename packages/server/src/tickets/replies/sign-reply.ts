import type { Reply } from '@foyer/protocol';
import { fillSignature } from '@foyer/protocol/values/macro-text';
import type { SiteContext } from '../../core/context.ts';

/**
 * Stores with an agent's public reply the signature for its mail: the agent's own, or else the mailbox's, or else the site's. Only the
 * mail contains it, not the desk, the portal or the API.
 */
export async function signReply(
  { db, site }: SiteContext,
  { id, ticket_id, type, author }: Reply,
): Promise<void> {
  if (type !== 'public' || author.type !== 'agent') return;
  const row = await db
    .selectFrom('agents as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .innerJoin('tickets as t', (join) => join.onRef('t.site_id', '=', 'a.site_id').on('t.id', '=', ticket_id))
    .leftJoin('mailboxes as m', (join) =>
      join.onRef('m.site_id', '=', 't.site_id').onRef('m.id', '=', 't.mailbox_id'),
    )
    .select([
      'a.signature as own',
      'm.signature as of_mailbox',
      'a.name',
      's.signature as shared',
      's.name as site_name',
    ])
    .where('a.site_id', '=', site.id)
    .where('a.id', '=', author.id)
    .executeTakeFirst();
  const signature = row && fillSignature(row.own || row.of_mailbox || row.shared, row.name, row.site_name);
  if (!signature) return;
  await db
    .updateTable('ticket_replies')
    .set({ signature })
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .execute();
}
