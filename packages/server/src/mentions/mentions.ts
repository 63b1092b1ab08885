import type { Mention } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalidInput, notFound } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { notify } from '../notifications/notify.ts';
import { areAgents } from '../sites/agents/assignable.ts';
import { areTeams } from '../sites/teams/assignable.ts';

/** The note that mentions agents and teams: one of a chat, or an internal reply of a ticket. */
type MentioningNote = { noteId: number; conversationId: number } | { replyId: number; ticketId: number };

/** The chat or ticket of a note. */
type Thread = { conversationId: number; ticketId?: never } | { ticketId: number; conversationId?: never };

/**
 * Stores the agents and teams that a note mentions, and notifies each agent once, in the transaction that stores the
 * note. The caller has locked the chat or ticket.
 * @param isOpen an SQL expression for whether that chat or ticket counts as open
 * @throws AppError 400 for a name that isn't in the text, 404 for an unknown or removed agent and for an unknown or
 *   archived team
 */
export async function storeMentions(
  tx: SiteContext,
  note: MentioningNote,
  text: string,
  mentions: readonly Mention[],
  isOpen: RawBuilder<SqlBool>,
): Promise<void> {
  if (mentions.length === 0) return;
  if (!mentions.every(({ name }) => text.includes(`@${name}`)))
    throw invalidInput([{ path: 'mentions', message: 'must be mentioned in the text with @' }]);
  const idsOf = (kind: Mention['kind']) => mentions.flatMap((one) => (one.kind === kind ? one.id : []));
  if (!(await areAgents(tx, idsOf(undefined)))) throw notFound('agent');
  if (!(await areTeams(tx, idsOf('team')))) throw notFound('team');
  const [place, thread]: [object, Thread] =
    'noteId' in note
      ? [{ note_id: note.noteId }, { conversationId: note.conversationId }]
      : [{ reply_id: note.replyId }, { ticketId: note.ticketId }];
  const stored = await tx.db
    .insertInto('mentions')
    .values(
      mentions.map(({ id, name, kind }) => ({
        site_id: tx.site.id,
        ...(kind === 'team' ? { team_id: id } : { agent_id: id }),
        name,
        ...place,
        created_at: tx.now(),
      })),
    )
    .returning('id')
    .execute();
  const mentionIds = stored.map(({ id }) => id);
  const agentIds = await queueMentions(tx, mentionIds, thread, isOpen);
  await notify(tx, { kind: 'mention', agentIds, ...thread });
}

/**
 * Moves the chat or ticket to the top of the mentioned agents' queues, once each: by their own name if the note has
 * it. The author isn't mentioned by their team's name. Triggers keep the rows in step with later changes of the chat
 * or ticket.
 * @returns the ids of those agents
 */
async function queueMentions(
  tx: SiteContext,
  mentionIds: readonly number[],
  thread: Thread,
  isOpen: RawBuilder<SqlBool>,
): Promise<number[]> {
  const agent = sql`coalesce(m.agent_id, t.agent_id)`;
  const { rows } = await sql<{ agent_id: number }>`
    insert into mention_queue (site_id, mention_id, agent_id, conversation_id, ticket_id, is_open)
    select distinct on (${agent}) m.site_id, m.id, ${agent}, ${thread.conversationId ?? null}::bigint, ${thread.ticketId ?? null}::bigint, ${isOpen}
    from mentions m
    left join team_members t on t.site_id = m.site_id and t.team_id = m.team_id
      and t.agent_id <> ${agentActor(tx).agentId}
    where m.site_id = ${tx.site.id} and m.id = any (${mentionIds}::bigint[]) and ${agent} is not null
    order by ${agent}, m.agent_id, m.id
    on conflict on constraint mention_queue_once do update set
      mention_id = excluded.mention_id, is_open = excluded.is_open
    returning agent_id`.execute(tx.db);
  return rows.map(({ agent_id }) => agent_id);
}

/** Whether a mention `m` still refers to anybody: that of a deleted team is only text. */
export const isOfSomebody: RawBuilder<SqlBool> = sql`coalesce(m.agent_id, m.team_id) is not null`;

/** A mention `m` on the wire. */
export const mentionJson: RawBuilder<Mention> = sql`json_strip_nulls(json_build_object(
  'id', coalesce(m.agent_id, m.team_id), 'name', m.name, 'kind', case when m.agent_id is null then 'team' end))`;

/** The mentions of a note `n`, as a JSON column. */
export const mentionsOfNote: RawBuilder<Mention[]> = sql`
  coalesce((
    select json_agg(${mentionJson} order by m.agent_id, m.id) from mentions m
    where m.site_id = n.site_id and m.note_id = n.id and ${isOfSomebody}
  ), '[]')`;
