import type {
  Conversation,
  ConversationDetail,
  ConversationMessage,
  Message,
  Session,
} from '@foyer/protocol';
import type { ChatWithNotes } from '../../conversations/desk.ts';
import { citedIn, namedAuthor } from '../../conversations/messages.ts';

/** A chat as REST shows it. */
export function presentConversation({ agent, closes_utc: _, ...session }: Session): Conversation {
  const { session_id, status, visitor, about, ...rest } = session;
  const assignee = agent && { id: agent.id, name: agent.name };
  return { session_id, status, assignee, visitor, about, ...rest };
}

/** One chat with its notes and rating. */
export function presentDetail(detail: ChatWithNotes): ConversationDetail {
  const { notes, feedback, routing, previous_session_id, next_session_id, ...session } = detail;
  const more = { notes, feedback, routing, previous_session_id, next_session_id };
  return { ...presentConversation(session), ...more };
}

/** A message as REST shows it. */
export function presentMessageOf(session_id: string, message: Message): ConversationMessage {
  const { choices: _, sources: __, ...said } = message;
  return { session_id, ...said, author: namedAuthor(message), ...citedIn(message) };
}
