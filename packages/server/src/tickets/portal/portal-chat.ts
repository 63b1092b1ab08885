import type { PortalEntry } from '@foyer/protocol';
import { sql } from 'kysely';
import { filesOfMessage } from '../../attachments/uploads.ts';
import type { SiteContext } from '../../core/context.ts';

/** How much of a long chat a page shows: its end. */
const SHOWN_MAX = 200;

interface Line {
  sender: 'visitor' | 'agent' | 'bot';
  author_name: string | null;
  text: string;
  files: { name: string }[] | null;
  created_at: Date;
}

const FROM = { visitor: 'you', agent: 'team', bot: 'bot' } as const;

/** Files are opened in the chat, not with the ticket's link, so only their names appear here. */
const bodyOf = ({ text, files }: Line): string =>
  [text, ...(files ?? []).map(({ name }) => `📎 ${name}`)].filter(Boolean).join('\n');

/**
 * The chat that a ticket was created from, up to that moment, as its customer sees it: without system messages.
 * Empty if the chat was deleted.
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
