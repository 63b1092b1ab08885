import type { Message, VisitorSession } from '@foyer/protocol';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import type { Connection } from '../connection.ts';
import { isSession, lastSeq } from '../conversation.ts';
import { createOutbox, type Outbox, type OutboxEntry, type SentFile } from '../outbox.ts';
import { type Identity, pageOf } from './identity.ts';
import type { ChatParts } from './parts.ts';
import type { Sessions } from './sessions.ts';
import type { Store } from './store.ts';

/** Output of `chat.send`. */
interface SendAnswer {
  session: VisitorSession | null;
  message: Message;
}

export interface Outgoing {
  outbox: Outbox;
  /** @returns false if the outbox is full: the text stays in the box */
  enqueue(
    chat: string,
    kind: OutboxEntry['kind'],
    text: string,
    files?: SentFile[],
    proactiveId?: number,
  ): boolean;
}

/**
 * Puts what the visitor sends into the outbox, and sends it from there.
 * @param onMove see `OutboxParts.onMove`
 */
export const createOutgoing = (
  { storage, alone }: ChatParts,
  { state, apply }: Store,
  identity: Identity,
  connection: Connection,
  { adopt, callSession }: Sessions,
  onMove: (chat: string, to: string) => void,
): Outgoing => {
  /** @returns the session that has the message now */
  const send = async (entry: OutboxEntry): Promise<string> => {
    const { client_id, session_id, text, files, page_url, proactive_id } = entry;
    if (entry.kind === 'person') {
      const asked = await callSession('chat.request_person', { session_id, client_id, page_url });
      return asked.session_id;
    }
    const { session, message } = (await connection.call('chat.send', {
      session_id,
      client_id,
      text,
      ...(files && { attachments: files.map(({ upload_id }) => upload_id) }),
      page_url,
      proactive_id,
    })) as SendAnswer;
    if (session) adopt(session);
    // Without a session in the result, the message is in the one that the entry named.
    const sessionId = session?.session_id ?? session_id ?? '';
    // After a gap, the subscription delivers the missing messages and this one in order.
    if (message.seq === lastSeq(state(), sessionId) + 1) {
      apply({ type: 'message', session_id: sessionId, message });
    }
    return sessionId;
  };

  const outbox = createOutbox({
    storage,
    alone,
    send,
    onChange: (entries) => apply({ type: 'pending', entries, isFleeting: outbox.isFleeting() }),
    onMove,
  });

  return {
    outbox,
    enqueue(chat, kind, text, files = [], proactive_id) {
      // Another tab may have signed the visitor out, which closed the connection, while the panel is open here.
      if (state().line === 'idle') connection.start();
      return outbox.add({
        client_id: uuidV7(),
        chat,
        session_id: isSession(chat) ? chat : null,
        kind,
        text,
        ...(files.length > 0 && { files }),
        page_url: pageOf(identity).page_url ?? '',
        proactive_id,
        created_utc: new Date().toISOString(),
      });
    },
  };
};
