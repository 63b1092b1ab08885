import { createHash } from 'node:crypto';
import { PORTAL_HOURS_DEFAULT, type PortalEntry, type PortalTicket } from '@foyer/protocol';
import { sql } from 'kysely';
import {
  type AttachmentRow,
  attachmentsOfReplies,
  type NewAttachment,
} from '../../attachments/attachments.ts';
import { refuseMalware } from '../../attachments/scan.ts';
import { AppError, notFound } from '../../base/errors.ts';
import { newSecret } from '../../base/secret-token.ts';
import { nameForVisitor } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { authorOf } from '../replies/authors.ts';
import { replyToTicket } from '../replies/replies.ts';
import { markTicketIfBlocked } from '../spam.ts';
import { lockTicket } from '../tickets.ts';
import { keepPortalLink, type OpenLink } from './links.ts';
import { portalChat } from './portal-chat.ts';

/** How much of a very long ticket a page shows: anybody with a link could make it grow. */
const SHOWN_MAX = 200;
const SHOWN_BYTES = 512 * 1024;

interface Head {
  id: number;
  subject: string;
  description: string;
  conversation_id: number | null;
  chat_seq: number | null;
  status: PortalTicket['status'];
  requester_name: string | null;
  follow_up_of_id: number | null;
  reply_count: number;
  created_at: Date;
  is_blocked: boolean;
}

interface Said {
  id: number;
  body: string;
  author_type: string;
  agent_name: string | null;
  participant_name: string | null;
  created_at: Date;
}

async function headOf({ db, site }: SiteContext, ticketId: number): Promise<Head> {
  const { rows } = await sql<Head>`
    select t.id, t.subject, t.description, t.conversation_id, t.chat_seq, t.status, ${nameForVisitor} as requester_name, t.follow_up_of_id, t.reply_count,
      t.created_at, v.blocked_at is not null as is_blocked
    from tickets t join visitors v on v.site_id = t.site_id and v.id = t.requester_id
    left join conversations c on c.site_id = t.site_id and c.id = t.conversation_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    where t.site_id = ${site.id} and t.id = ${ticketId}`.execute(db);
  if (!rows[0]) throw notFound('ticket');
  return rows[0];
}

/** The fields that customers see and that have a value, in the site's order. */
async function visibleFields({ db, site }: SiteContext, ticketId: number): Promise<PortalTicket['fields']> {
  const { rows } = await sql<PortalTicket['fields'][number]>`
    select f.name, f.kind, array_agg(tf.value order by tf.place) as values
    from ticket_fields tf join fields f on f.site_id = tf.site_id and f.id = tf.field_id
    where tf.site_id = ${site.id} and tf.ticket_id = ${ticketId} and f.visible and f.archived_at is null
    group by f.site_id, f.id order by f.position, f.id`.execute(db);
  return rows;
}

/** The newest public replies, in order. No statement of the portal reads notes. */
async function publicReplies({ db, site }: SiteContext, ticketId: number): Promise<Said[]> {
  const { rows } = await sql<Said>`
    select r.id, r.body, r.author_type, a.name as agent_name,
      coalesce(r.participant_name, split_part(r.participant_address, '@', 1)) as participant_name, r.created_at
    from (
      select *, sum(octet_length(body)) over (order by id desc) - octet_length(body) as newer_bytes from (
        select * from ticket_replies
        where site_id = ${site.id} and ticket_id = ${ticketId} and type = 'public'
        order by id desc limit ${SHOWN_MAX}
      ) newest
    ) r
    left join agents a on a.site_id = r.site_id and a.id = r.agent_id
    where r.newer_bytes < ${SHOWN_BYTES}
    order by r.id`.execute(db);
  return rows;
}

/**
 * The beginning of a ticket: the chat it was created from, or the requester's message. A follow-up's own text only
 * says what it follows, which the page's header shows.
 */
async function beginning(ctx: SiteContext, head: Head): Promise<PortalEntry[]> {
  const { conversation_id: conversationId, chat_seq: upTo, requester_name: visitorName } = head;
  if (head.follow_up_of_id !== null) return [];
  const chat =
    conversationId === null || upTo === null
      ? []
      : await portalChat(ctx, { conversationId, upTo, visitorName });
  if (chat.length > 0) return chat;
  const { description: body, created_at: createdAt } = head;
  return [{ from: 'you', name: visitorName, body, createdAt, attachments: [] }];
}

/** A token's name is internal to the team. */
function speakerOf(reply: Said, head: Head): Pick<PortalEntry, 'from' | 'name'> {
  if (reply.author_type === 'requester') return { from: 'you', name: head.requester_name };
  if (reply.author_type === 'participant') return { from: 'other', name: reply.participant_name };
  return { from: 'team', name: reply.agent_name };
}

/** The ticket as its requester may see it: its text and public replies, nothing else. @throws AppError 404 */
export async function getPortalTicket(ctx: SiteContext, link: OpenLink): Promise<PortalTicket> {
  const head = await headOf(ctx, link.ticketId);
  const replies = await publicReplies(ctx, link.ticketId);
  const files = await attachmentsOfReplies(
    ctx,
    replies.map(({ id }) => id),
  );
  const filesOf = (id: number): AttachmentRow[] => files.get(id) ?? [];
  return {
    id: head.id,
    siteName: link.siteName,
    siteColor: link.siteColor,
    siteLogo: link.siteLogo,
    timeZone: link.timeZone,
    subject: head.subject,
    status: head.status,
    fields: await visibleFields(ctx, link.ticketId),
    entries: [
      ...(await beginning(ctx, head)),
      ...replies.map((reply) => ({
        ...speakerOf(reply, head),
        body: reply.body,
        createdAt: reply.created_at,
        attachments: filesOf(reply.id).map(({ id, name, size }) => ({ id, name, size })),
      })),
    ],
    earlier: Math.max(0, head.reply_count - replies.length),
    followsUp: head.follow_up_of_id === null ? null : { id: head.follow_up_of_id },
    isBlocked: head.is_blocked,
  };
}

/** A file shown on the page of this link: one of a public reply to its ticket. */
export async function findPortalAttachment(
  { db, site }: SiteContext,
  { ticketId }: OpenLink,
  id: number,
): Promise<AttachmentRow | undefined> {
  return db
    .selectFrom('attachments as f')
    .innerJoin('ticket_replies as r', (join) =>
      join.onRef('r.site_id', '=', 'f.site_id').onRef('r.id', '=', 'f.reply_id'),
    )
    .select(['f.id', 'f.name', 'f.content_type', 'f.size', 'f.width', 'f.height'])
    .where('f.site_id', '=', site.id)
    .where('f.id', '=', id)
    .where('r.ticket_id', '=', ticketId)
    .where('r.type', '=', 'public')
    .executeTakeFirst();
}

interface PortalAnswer {
  /** Created with the form: a form that is sent twice with the same content is one answer. */
  answerId: string;
  text: string;
  files: readonly NewAttachment[];
}

/** Includes the content: a customer who goes back to a sent form and writes another text sends another answer. */
function hashOf({ answerId, text, files }: PortalAnswer): Buffer {
  const whole = createHash('sha256').update(JSON.stringify([answerId, text, files.map(({ name }) => name)]));
  for (const { content } of files) whole.update(`${content.length}:`).update(content);
  return whole.digest();
}

async function findAnswered(
  { db, site }: SiteContext,
  linkId: number,
  hash: Buffer,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('portal_answers as p')
    .innerJoin('ticket_replies as r', (join) =>
      join.onRef('r.site_id', '=', 'p.site_id').onRef('r.id', '=', 'p.reply_id'),
    )
    .select('r.ticket_id')
    .where('p.site_id', '=', site.id)
    .where('p.link_id', '=', linkId)
    .where('p.answer_hash', '=', hash)
    .executeTakeFirst();
  return row?.ticket_id;
}

/** A blocked visitor can't write on any channel. @throws AppError 403 */
async function refuseBlocked({ db, site }: SiteContext, visitorId: number): Promise<void> {
  const requester = await db
    .selectFrom('visitors')
    .select('blocked_at')
    .where('site_id', '=', site.id)
    .where('id', '=', visitorId)
    .executeTakeFirst();
  if (requester?.blocked_at) throw new AppError('insufficient_scope', 'The team has blocked this requester.');
}

/**
 * Stores the requester's answer, once however often the form is sent. An answer to a closed ticket creates a
 * follow-up, to which the requester gets a link.
 * @throws AppError 403 if the requester is blocked, 404 if the ticket was deleted meanwhile
 */
export async function answerThroughPortal(
  ctx: SiteContext,
  { linkId, ticketId }: OpenLink,
  answer: PortalAnswer,
): Promise<{ followUpToken: string | undefined }> {
  const hash = hashOf(answer);
  await refuseMalware(ctx, answer.files);
  return ctx.transaction(async (tx) => {
    // A second request with the same form waits here, and then finds what the first one stored.
    const ticket = await lockTicket(tx, ticketId);
    let answeredId = await findAnswered(tx, linkId, hash);
    if (answeredId === undefined) {
      await refuseBlocked(tx, ticket.requester_id);
      const shown = await markTicketIfBlocked(tx, ticket, {
        text: answer.text,
        emails: [ticket.requester_email],
      });
      const reply = await replyToTicket(tx, shown, {
        type: 'public',
        body: answer.text,
        author: await authorOf(tx),
        attachments: answer.files,
      });
      answeredId = reply.ticket_id;
      await tx.db
        .insertInto('portal_answers')
        .values({ site_id: tx.site.id, link_id: linkId, answer_hash: hash, reply_id: reply.id })
        .execute();
    }
    if (answeredId === ticketId) return { followUpToken: undefined };
    const followUpToken = newSecret();
    await keepPortalLink(tx, answeredId, followUpToken, PORTAL_HOURS_DEFAULT);
    return { followUpToken };
  });
}
