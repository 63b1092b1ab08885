import type { Mention, OutputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { isOfSomebody, mentionJson } from '../mentions/mentions.ts';

/** The agents and teams that a ticket's notes mention. */
export async function listTicketMentions(
  { db, site }: SiteContext,
  ticketId: number,
): Promise<OutputOf<'tickets.mentions'>> {
  const { rows } = await sql<{ reply_id: number; mention: Mention }>`
    select m.reply_id, ${mentionJson} as mention from mentions m
    join ticket_replies r on r.site_id = m.site_id and r.id = m.reply_id
    where r.site_id = ${site.id} and r.ticket_id = ${ticketId} and ${isOfSomebody}
    order by m.reply_id, m.agent_id, m.id`.execute(db);
  return { mentions: rows.map(({ reply_id, mention }) => ({ reply_id, ...mention })) };
}
