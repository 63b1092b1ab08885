import { REPLIES_SHOWN, type Reply, type ReplyAuthor, type ReplyType } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type AttachmentRow,
  attachmentsOfReplies,
  presentAttachment,
} from '../../attachments/attachments.ts';
import type { SiteContext } from '../../core/context.ts';

interface ReplyRow {
  id: number;
  ticket_id: number;
  type: ReplyType;
  body: string;
  author_type: ReplyAuthor['type'];
  author_id: number | null;
  author_name: string | null;
  created_at: Date;
}

/** The caller loads the files; their links are signed and expire. */
export const presentReply = (
  ctx: SiteContext,
  row: ReplyRow,
  files: readonly AttachmentRow[] = [],
): Reply => ({
  id: row.id,
  ticket_id: row.ticket_id,
  type: row.type,
  body: row.body,
  author: { type: row.author_type, id: row.author_id, name: row.author_name ?? '' },
  attachments: files.map((file) => presentAttachment(ctx, file)),
  created_utc: row.created_at.toISOString(),
});

/** The newest of the selected replies (as `ticket_replies`), oldest first. */
async function loadReplies(ctx: SiteContext, ticketId: number, which: RawBuilder<SqlBool>): Promise<Reply[]> {
  const { rows } = await sql<ReplyRow>`
    select r.id, r.ticket_id, r.type, r.body, r.author_type, coalesce(r.agent_id, r.token_id) as author_id,
      case r.author_type when 'agent' then a.name when 'token' then k.name when 'requester' then v.name
        when 'participant' then coalesce(r.participant_name, r.participant_address)
        else 'System' end as author_name,
      r.created_at
    from (
      select * from ticket_replies where site_id = ${ctx.site.id} and ticket_id = ${ticketId} and ${which}
      order by id desc limit ${REPLIES_SHOWN}
    ) r
    join tickets t on t.site_id = r.site_id and t.id = r.ticket_id
    join visitors v on v.site_id = t.site_id and v.id = t.requester_id
    left join agents a on a.site_id = r.site_id and a.id = r.agent_id
    left join api_tokens k on k.site_id = r.site_id and k.id = r.token_id
    order by r.id`.execute(ctx.db);
  const files = await attachmentsOfReplies(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presentReply(ctx, row, files.get(row.id)));
}

/** The newest replies of a ticket, with the requester's current name. */
export const listReplies = (ctx: SiteContext, ticketId: number): Promise<Reply[]> =>
  loadReplies(ctx, ticketId, sql`true`);

/** The last public reply after the given one by another team member. */
export const findOthersReply = async (
  ctx: SiteContext,
  ticketId: number,
  agentId: number,
  seen: number,
): Promise<Reply | undefined> =>
  (
    await loadReplies(
      ctx,
      ticketId,
      sql`type = 'public' and author_type not in ('requester', 'participant') and agent_id is distinct from ${agentId} and id > ${seen}`,
    )
  ).at(-1);

/** The reply that this agent has sent with this client id. */
export const findSentReply = async (
  ctx: SiteContext,
  ticketId: number,
  agentId: number,
  clientId: string,
): Promise<Reply | undefined> =>
  (await loadReplies(ctx, ticketId, sql`agent_id = ${agentId} and client_id = ${clientId}`))[0];
