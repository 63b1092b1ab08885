import type { Mention, OutputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { invalidInput, notFound } from '../errors.ts';
import { queueMentions } from '../inbox/mentions.ts';
import { notify } from '../notifications/notify.ts';
import { areAgents } from '../tickets/assignable.ts';

/** The note that names them. */
export type Naming = { noteId: number; conversationId: number } | { replyId: number; ticketId: number };

/**
 * Writes down whom a note names, and lets them know, in the transaction that stores it.
 * @throws AppError 400 for a name that the text does not have, 404 for somebody who is not (any more) of the team.
 */
export async function mentionAgents(
  tx: SiteContext,
  note: Naming,
  text: string,
  mentions: readonly Mention[],
): Promise<void> {
  if (mentions.length === 0) return;
  if (!mentions.every(({ name }) => text.includes(`@${name}`)))
    throw invalidInput([{ path: 'mentions', message: 'must name those who are in the text, behind @' }]);
  const agentIds = mentions.map(({ id }) => id);
  if (!(await areAgents(tx, agentIds))) throw notFound('agent');
  const place = 'noteId' in note ? { note_id: note.noteId } : { reply_id: note.replyId };
  const made = await tx.db
    .insertInto('mentions')
    .values(
      mentions.map(({ id, name }) => ({
        site_id: tx.site.id,
        agent_id: id,
        name,
        ...place,
        created_at: tx.now(),
      })),
    )
    .returning('id')
    .execute();
  const where = 'noteId' in note ? { conversationId: note.conversationId } : { ticketId: note.ticketId };
  await queueMentions(
    tx,
    made.map(({ id }) => id),
    { conversationId: null, ticketId: null, ...where },
  );
  await notify(tx, { kind: 'mention', agentIds, ...where });
}

/** Whom a note `n` names, as a column. */
export const mentionsOfNote: RawBuilder<Mention[]> = sql`
  coalesce((
    select json_agg(json_build_object('id', m.agent_id, 'name', m.name) order by m.agent_id) from mentions m
    where m.site_id = n.site_id and m.note_id = n.id
  ), '[]')`;

/** Whom the notes of a ticket name. */
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
