import type { Message, Ticket } from '@foyer/protocol';
import { sql } from 'kysely';
import { filesOfMessage } from '../attachments/uploads.ts';
import { notFound } from '../base/errors.ts';
import { linksOf, type MessageRow, messageColumns, presentMessage } from '../conversations/messages.ts';
import { lockSession, nameForVisitor, type SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { isArticleImage } from '../knowledge/articles/images.ts';
import { areAgents } from '../sites/agents/assignable.ts';
import { replyText } from '../text/reply-markdown.ts';
import { insertTicket } from './create.ts';
import { getTicketRow, presentTicket } from './tickets.ts';

/** People read a ticket's text: of a long chat they need the newest part. */
const DESCRIPTION_MAX = 50_000;
/** Messages read of a very long chat, the newest. Even the shortest lines fill the text before that. */
const LINES_MAX = 2_500;
const SUBJECT_MAX = 120;

interface Line {
  sender: string;
  author_name: string | null;
  text: string;
  files: { name: string }[] | null;
  created_at: Date;
}

const SPEAKERS: Record<string, string> = {
  visitor: 'Visitor',
  bot: 'Assistant',
  agent: 'Agent',
};

/** The ticket's text is shown verbatim, so it contains no markdown. */
function transcriptText(lines: readonly Line[], visitorName: string | null, base: string): string {
  const text = lines
    .map(({ sender, author_name, text: said, files, created_at }) => {
      const time = created_at.toISOString().slice(0, 16).replace('T', ' ');
      const isMarkdown = sender === 'bot' || sender === 'agent';
      const plain = isMarkdown ? replyText(said, { base, isOwnPicture: isArticleImage }) : said;
      const words = [plain, ...(files ?? []).map(({ name }) => `[${name}]`)].filter(Boolean).join(' ');
      // System messages name the person they are about.
      const known = sender === 'visitor' ? visitorName : author_name;
      const speaker = known ?? SPEAKERS[sender];
      return speaker === undefined ? `${time} UTC ${words}` : `${time} UTC ${speaker}: ${words}`;
    })
    .join('\n');
  return text.slice(-DESCRIPTION_MAX).toWellFormed();
}

/** Creates the ticket of a chat for an agent; returns the existing one if there is one. @throws AppError 404 */
export function ticketOfChat(ctx: SiteContext, sessionId: string): Promise<Ticket> {
  return ctx.transaction(async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (session.ticket_id !== null) return presentTicket(await getTicketRow(tx, session.ticket_id));
    const id = await createTicketFromChat(tx, session, session.contact_email);
    await tx.emit({ notices: [{ kind: 'session', sessionId }] });
    return presentTicket(await getTicketRow(tx, id));
  });
}

/** The agent who has or had the chat, if they are still on the team. */
const holderOf = async (ctx: SiteContext, { agent_id }: SessionRow): Promise<number | null> =>
  agent_id !== null && (await areAgents(ctx, [agent_id])) ? agent_id : null;

/**
 * Creates the ticket of a chat for the agent who has it. Its subject is the visitor's first message, its text the
 * transcript.
 */
export async function createTicketFromChat(
  ctx: SiteContext,
  session: SessionRow,
  email: string | null,
): Promise<number> {
  const said = sql`messages m where m.site_id = ${ctx.site.id} and m.conversation_id = ${session.id}`;
  const { rows: newest } = await sql<Line>`
    select m.sender, m.author_name, m.text, m.created_at, ${filesOfMessage} as files from ${said}
    order by m.seq desc limit ${LINES_MAX}`.execute(ctx.db);
  // The visitor can read the text in the portal.
  const { rows: named } = await sql<{ name: string | null }>`
    select ${nameForVisitor} as name from conversations c
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    where c.site_id = ${ctx.site.id} and c.id = ${session.id}`.execute(ctx.db);
  const { rows: asked } = await sql<Pick<Line, 'text'>>`
    select m.text from ${said} and m.sender = 'visitor' and m.text <> '' order by m.seq limit 1`.execute(
    ctx.db,
  );
  const first = asked[0]?.text ?? 'Chat without a message';
  const subject = first.replace(/\s+/g, ' ').slice(0, SUBJECT_MAX).toWellFormed();
  const ticket = await insertTicket(ctx, {
    subject,
    description: transcriptText(newest.toReversed(), named[0]?.name ?? null, ctx.services.address.url),
    requesterId: session.visitor_id,
    requesterEmail: email,
    conversationId: session.id,
    chatSeq: session.last_seq,
    spamLike: session,
    assigneeId: await holderOf(ctx, session),
    teamId: session.team?.id ?? null,
  });
  return ticket.id;
}

/** How much of a long chat is shown above a ticket's replies: its end. */
const SHOWN_MAX = 200;

/**
 * The chat that a ticket was created from, up to that moment: its newest messages, in order. Null if the ticket
 * wasn't created from a chat, or the chat was deleted.
 * @throws AppError 404
 */
export async function chatOfTicket(
  ctx: SiteContext,
  ticketId: number,
): Promise<{ messages: Message[]; left_out: number } | null> {
  const ticket = await ctx.db
    .selectFrom('tickets')
    .select(['conversation_id', 'chat_seq'])
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', ticketId)
    .executeTakeFirst();
  if (!ticket) throw notFound('ticket');
  const { conversation_id, chat_seq } = ticket;
  if (conversation_id === null || chat_seq === null) return null;
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages m
    where m.site_id = ${ctx.site.id} and m.conversation_id = ${conversation_id} and m.seq <= ${chat_seq}
    order by m.seq desc limit ${SHOWN_MAX}`.execute(ctx.db);
  const links = linksOf(ctx);
  const messages = rows.toReversed().map((row) => presentMessage(ctx.site.id, links, row));
  return { messages, left_out: Math.max(0, (messages[0]?.seq ?? 1) - 1) };
}
