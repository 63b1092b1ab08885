import type { InputOf, OperationName, OutputOf, ServerFrame, VisitorSession } from '@foyer/protocol';
import type { Connection } from '../connection.ts';
import { type ConversationState, lastSeq } from '../conversation.ts';
import { acceptWelcome, type Identity } from './identity.ts';
import type { ChatParts } from './parts.ts';
import type { Store } from './store.ts';

type Frame<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>;

export type Sessions = ReturnType<typeof createSessions>;

/** Closed sessions without news are loaded when the visitor opens them. */
const isFollowed = ({ view }: ConversationState, session: VisitorSession): boolean =>
  session.status !== 'closed' ||
  session.last_seq > session.visitor_read_seq ||
  (view.name === 'chat' && view.chat === session.session_id);

/** Follows the visitor's sessions: which to subscribe to and what arrives in them. */
export const createSessions = (
  { storage, onIncoming }: ChatParts,
  { state, apply }: Store,
  identity: Identity,
  connection: Connection,
  markRead: () => void,
) => {
  const follow = ({ session_id }: VisitorSession) =>
    connection.subscribe(session_id, lastSeq(state(), session_id));

  /** Shows a session, and subscribes to it if it is new here. */
  const adopt = (session: VisitorSession) => {
    const isNew = !(session.session_id in state().sessions);
    apply({ type: 'session', session });
    if (isNew) follow(session);
  };

  /** Runs an operation that changes no session. Rejects immediately without a connection. */
  const call = <N extends OperationName>(op: N, input: InputOf<N>) =>
    connection.call(op, input) as Promise<OutputOf<N>>;

  /** Runs an operation that returns the changed session. */
  const callSession = async <N extends OperationName>(op: N, input: InputOf<N>): Promise<VisitorSession> => {
    const session = (await connection.call(op, input)) as VisitorSession;
    adopt(session);
    return session;
  };

  const welcome = (frame: Frame<'welcome'>) => {
    if (!acceptWelcome(identity, storage, frame)) return connection.restart();
    apply(frame);
    for (const session of Object.values(state().sessions)) if (isFollowed(state(), session)) follow(session);
  };

  const receiveMessage = (frame: Frame<'message'>) => {
    const count = () => state().messages[frame.session_id]?.length ?? 0;
    const before = count();
    apply(frame);
    if (count() === before) return;
    markRead();
    const { sender, seq, text } = frame.message;
    const readSeq = state().sessions[frame.session_id]?.visitor_read_seq ?? 0;
    if ((sender === 'bot' || sender === 'agent') && seq > readSeq) onIncoming(sender, text);
  };

  const receive = (frame: ServerFrame) => {
    if (frame.type === 'welcome') welcome(frame);
    if (frame.type === 'session') adopt(frame.session);
    if (frame.type === 'message') receiveMessage(frame);
    if (frame.type === 'availability') apply(frame);
    if (frame.type === 'typing' || frame.type === 'answering') apply({ ...frame, now: Date.now() });
  };

  return { follow, adopt, receive, call, callSession };
};
