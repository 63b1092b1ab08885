import { type AnyOperation, operation } from '../core/operation.ts';
import { markReadByVisitor, rate, requestPerson, sendMessage } from './chat.ts';
import { closeSession } from './closing.ts';
import { getSession, presentVisitorSession } from './sessions.ts';

const ofChat = { session_id: 'session' } as const;
const visitor = { who: ['visitor'], scope: 'write', records: ofChat } as const;

/** The visitor's operations over the widget's socket. */
export const chatOperations: AnyOperation[] = [
  operation({
    ...visitor,
    name: 'chat.send',
    summary: 'Send a message, starting a chat if there is none',
    async run(ctx, { session_id, client_id, text, attachments, page_url, proactive_id }) {
      const sent = await sendMessage(ctx, {
        sessionId: session_id,
        clientId: client_id,
        text,
        uploadIds: attachments,
        pageUrl: page_url,
        proactiveId: proactive_id,
      });
      // The widget already knows this chat. Only a new one needs to be loaded.
      if (sent.sessionId === session_id) return { session: null, message: sent.message };
      return { session: presentVisitorSession(await getSession(ctx, sent.sessionId)), message: sent.message };
    },
  }),
  operation({
    ...visitor,
    name: 'chat.request_person',
    summary: 'Ask for a person',
    run: (ctx, { session_id, client_id, page_url }) =>
      requestPerson(ctx, { sessionId: session_id, clientId: client_id, pageUrl: page_url }),
  }),
  operation({
    ...visitor,
    name: 'chat.end',
    summary: 'Close the chat',
    run: async (ctx, { session_id }) => presentVisitorSession(await closeSession(ctx, session_id)),
  }),
  operation({
    ...visitor,
    name: 'chat.rate',
    summary: 'Rate the closed chat',
    run: (ctx, { session_id, rating, comment }) => rate(ctx, session_id, rating, comment ?? ''),
  }),
  operation({
    ...visitor,
    name: 'chat.mark_read',
    summary: 'Mark the chat as read up to a message',
    async run(ctx, { session_id, seq }) {
      await markReadByVisitor(ctx, session_id, seq);
      return { done: true };
    },
  }),
];
