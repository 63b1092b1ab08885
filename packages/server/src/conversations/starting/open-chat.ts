import type { Language } from '@foyer/protocol';
import type { NewAttachment } from '../../attachments/attachments.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite } from '../../sites/sites.ts';
import { ANY_OPEN, appendMessage } from '../append/append-message.ts';
import { ofChat } from '../chat-events.ts';
import { getSession, newSessionId, type SessionRow } from '../sessions.ts';

interface Opening {
  visitorId: number;
  /** The browser that shows it. Null: only browsers with a proven identity do. */
  deviceId: number | null;
  verified: boolean;
  pageUrl: string | null;
  language: Language | null;
  /** The agent who writes, and has the chat. Null: the bot writes. */
  by: { id: number; name: string } | null;
  said: { clientId: string; text: string; files?: readonly NewAttachment[] | undefined };
}

/** Starts a chat with a visitor by a message of the team or the bot. The caller decides whether that is allowed. */
export async function openByTeam(tx: SiteContext, opening: Opening): Promise<SessionRow> {
  const { by, said, pageUrl } = opening;
  const sessionId = newSessionId();
  await tx.db
    .insertInto('conversations')
    .values({
      site_id: tx.site.id,
      session_id: sessionId,
      visitor_id: opening.visitorId,
      device_id: opening.deviceId,
      verified: opening.verified,
      start_client_id: said.clientId,
      status: by ? 'active' : 'bot',
      agent_id: by?.id ?? null,
      page_url: pageUrl,
      language: opening.language,
      started_at: tx.now(),
    })
    .execute();
  const author = by ?? { id: null, name: (await getSite(tx.db, tx.site.id)).bot_name };
  await appendMessage(tx, sessionId, { ...said, sender: by ? 'agent' : 'bot', author }, ANY_OPEN);
  const session = await getSession(tx, sessionId);
  await tx.emit({
    notices: [{ kind: 'session', sessionId }],
    webhook: {
      event: 'conversation_started',
      body: { ...ofChat(session), page_url: pageUrl, channel: 'chat' },
    },
  });
  return session;
}
