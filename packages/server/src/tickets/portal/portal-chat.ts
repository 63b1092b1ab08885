import type { PortalEntry } from '@foyer/protocol';
import { sql } from 'kysely';
import { filesOfMessage } from '../../attachments/uploads.ts';
import type { SiteContext } from '../../core/context.ts';

/** What a page shows of a long chat: its end. */
const SHOWN_MAX = 200;

interface Line {
  sender: 'visitor' | 'agent' | 'bot';
  author_name: string | null;
  text: string;
  files: { name: string }[] | null;
  created_at: Date;
}

const FROM = { visitor: 'you', agent: 'team', bot: 'bot' } as const;

/** A chat's files are opened in the chat, not by the ticket's link: here they have only their names. */
const bodyOf = ({ text, files }: Line): string =>
  [text, ...(files ?? []).map(({ name }) => `📎 ${name}`)].filter(Boolean).join('\n');

/**
 * The chat that a ticket was made from, up to then, as its customer reads it: without what the system said. Empty where
 * the chat has been deleted.
 */
export async function portalChat(
  { db, site }: SiteContext,
  chat: { conversationId: number; upTo: number; visitorName: string | null },
): Promise<PortalEntry[]> {
  const { rows } = await sql<Line>`
    select m.sender, m.author_name, m.text, m.created_at, ${filesOfMessage} as files from messages m
    where m.site_id = ${site.id} and m.conversation_id = ${chat.conversationId} and m.seq <= ${chat.upTo}
      and m.sender <> 'system'
    order by m.seq desc limit ${SHOWN_MAX}`.execute(db);
  return rows.toReversed().map((line) => ({
    from: FROM[line.sender],
    name: line.sender === 'visitor' ? chat.visitorName : line.author_name,
    body: bodyOf(line),
    createdAt: line.created_at,
    attachments: [],
  }));
}
