import type { AgentRef } from '@foyer/protocol';
import { agentRefOf } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import type { WebhookPart } from '../core/domain-event.ts';
import { type SessionRow, visitorOf } from './sessions.ts';

type About = Pick<SessionRow, 'session_id' | 'visitor_key' | 'visitor_name' | 'visitor_email' | 'fields'>;

/** The chat's fields in events. */
export const ofChat = (chat: About) => ({
  session_id: chat.session_id,
  visitor: visitorOf(chat),
  fields: chat.fields,
});

/** The fields of every event about a changed chat: the chat, and the agent who changed it. */
export const aboutChat = (ctx: SiteContext, chat: About) => ({ ...ofChat(chat), by: agentRefOf(ctx) });

/** The agent who has a chat; null if nobody has it. */
export const holderOf = ({ status, agent_id, agent_name }: SessionRow): AgentRef | null =>
  status === 'active' && agent_id !== null ? { id: agent_id, name: agent_name ?? '' } : null;

/** A chat was assigned, transferred or returned to the queue. Undefined if the same agent still has it. */
export function movedEvent(
  ctx: SiteContext,
  chat: About & Pick<SessionRow, 'team'>,
  from: AgentRef | null,
  to: AgentRef | null,
): WebhookPart | undefined {
  if (from?.id === to?.id) return undefined;
  const { team } = chat;
  const about = aboutChat(ctx, chat);
  if (from) return { event: 'conversation_transferred', body: { ...about, from, to, team } };
  return to ? { event: 'conversation_assigned', body: { ...about, assignee: to, team } } : undefined;
}
