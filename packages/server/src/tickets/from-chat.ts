import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { SessionRow } from '../conversations/sessions.ts';
import { insertTicket } from './create.ts';

/** A ticket's text is read by people: the newest part of a long chat is what they need. */
const DESCRIPTION_MAX = 50_000;
const SUBJECT_MAX = 120;

interface Line {
  sender: string;
  author_name: string | null;
  text: string;
  created_at: Date;
}

const SPEAKERS: Record<string, string> = {
  visitor: 'Visitor',
  bot: 'Assistant',
  agent: 'Agent',
  system: '—',
};

function transcriptText(lines: readonly Line[]): string {
  const text = lines
    .map(({ sender, author_name, text: said, created_at }) => {
      const time = created_at.toISOString().slice(0, 16).replace('T', ' ');
      return `${time} ${author_name ?? SPEAKERS[sender] ?? sender}: ${said}`;
    })
    .join('\n');
  return text.slice(-DESCRIPTION_MAX).toWellFormed();
}

/**
 * The ticket of a chat that nobody could take: its subject is the visitor's first message, its text the transcript
 * (decisions 4).
 */
export async function createTicketFromChat(
  ctx: SiteContext,
  session: SessionRow,
  email: string,
): Promise<number> {
  const { rows } = await sql<Line>`
    select sender, author_name, text, created_at from messages
    where site_id = ${ctx.site.id} and conversation_id = ${session.id} order by seq`.execute(ctx.db);
  const first = rows.find(({ sender }) => sender === 'visitor')?.text ?? 'Chat without a message';
  const subject = first.replace(/\s+/g, ' ').slice(0, SUBJECT_MAX).toWellFormed();
  const ticket = await insertTicket(ctx, {
    subject,
    description: transcriptText(rows),
    requesterId: session.visitor_id,
    requesterEmail: email,
    conversationId: session.id,
  });
  return ticket.id;
}
