import type { Mention } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalidInput, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { notify } from '../notifications/notify.ts';
import { areAgents } from '../sites/agents/assignable.ts';

/** The note that mentions agents: one of a chat, or an internal reply of a ticket. */
type MentioningNote = { noteId: number; conversationId: number } | { replyId: number; ticketId: number };

/**
 * Stores the agents that a note mentions and notifies them, in the transaction that stores the note. The caller has
 * locked the chat or ticket.
 * @param isOpen an SQL expression for whether that chat or ticket counts as open
 * @throws AppError 400 for a name that isn't in the text, 404 for an unknown or removed agent
 */
export async function mentionAgents(
  tx: SiteContext,
  note: MentioningNote,
  text: string,
  mentions: readonly Mention[],
  isOpen: RawBuilder<SqlBool>,
): Promise<void> {
  if (mentions.length === 0) return;
  if (!mentions.every(({ name }) => text.includes(`@${name}`)))
    throw invalidInput([{ path: 'mentions', message: 'must be agents mentioned in the text with @' }]);
  const agentIds = mentions.map(({ id }) => id);
  if (!(await areAgents(tx, agentIds))) throw notFound('agent');
  const place = 'noteId' in note ? { note_id: note.noteId } : { reply_id: note.replyId };
  const stored = await tx.db
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
  const mentionIds = stored.map(({ id }) => id);
  await queueMentions(tx, mentionIds, note, isOpen);
  const where = 'noteId' in note ? { conversationId: note.conversationId } : { ticketId: note.ticketId };
  await notify(tx, { kind: 'mention', agentIds, ...where });
}

/**
 * Moves the chat or ticket to the top of the mentioned agents' queues, once each. Triggers keep the rows in step
 * with later changes of the chat or ticket.
 */
async function queueMentions(
  tx: SiteContext,
  mentionIds: readonly number[],
  note: MentioningNote,
  isOpen: RawBuilder<SqlBool>,
): Promise<void> {
  const [conversationId, ticketId] = 'noteId' in note ? [note.conversationId, null] : [null, note.ticketId];
  await sql`
    insert into mention_queue (site_id, mention_id, agent_id, conversation_id, ticket_id, is_open)
    select m.site_id, m.id, m.agent_id, ${conversationId}::bigint, ${ticketId}::bigint, ${isOpen}
    from mentions m where m.site_id = ${tx.site.id} and m.id = any (${mentionIds}::bigint[])
    on conflict on constraint mention_queue_once do update set
      mention_id = excluded.mention_id, is_open = excluded.is_open`.execute(tx.db);
}

/** The agents that a note `n` mentions, as a JSON column. */
export const mentionsOfNote: RawBuilder<Mention[]> = sql`
  coalesce((
    select json_agg(json_build_object('id', m.agent_id, 'name', m.name) order by m.agent_id) from mentions m
    where m.site_id = n.site_id and m.note_id = n.id
  ), '[]')`;
