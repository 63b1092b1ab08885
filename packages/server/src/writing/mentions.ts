import type { OutputOf } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';

/** The agents that a ticket's notes mention. */
export async function listTicketMentions(
  { db, site }: SiteContext,
  ticketId: number,
): Promise<OutputOf<'tickets.mentions'>> {
  const mentions = await db
    .selectFrom('mentions as m')
    .innerJoin('ticket_replies as r', (join) =>
      join.onRef('r.site_id', '=', 'm.site_id').onRef('r.id', '=', 'm.reply_id'),
    )
    .select(['m.reply_id', 'm.agent_id as id', 'm.name'])
    .where('r.site_id', '=', site.id)
    .where('r.ticket_id', '=', ticketId)
    .orderBy('m.reply_id')
    .orderBy('m.agent_id')
    .$narrowType<{ reply_id: number }>()
    .execute();
  return { mentions };
}
