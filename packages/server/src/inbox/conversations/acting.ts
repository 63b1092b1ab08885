import { invalidInput } from '../../base/errors.ts';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { actingAgent } from '../../sites/agents/assignable.ts';

/** @throws AppError 404 for an unknown id and for a removed agent */
async function asAgent(tx: SiteContext, id: number): Promise<SiteContext> {
  const { id: agentId, name, role } = await actingAgent(tx, id);
  return tx.as({ kind: 'agent', agentId, name, role });
}

/**
 * The context that acts in an agent's name: the one whom a token names, else the chat's agent. The audit log keeps the
 * token.
 * @throws AppError 400 without either, 404 for an agent who isn't in the team
 */
export async function inNameOf(
  tx: SiteContext,
  agentId: number | undefined,
  chat?: Pick<SessionRow, 'agent_id'>,
): Promise<SiteContext> {
  if (agentId !== undefined) return asAgent(tx, agentId);
  if (tx.actor.kind === 'agent') return tx;
  if (chat?.agent_id) return asAgent(tx, chat.agent_id);
  throw invalidInput([{ path: 'agent_id', message: 'is required: no agent has this chat' }]);
}

/** The context that acts for the visitor of a chat. The token is limited, so the visitor isn't. */
export const forVisitorOf = (tx: SiteContext, chat: SessionRow): SiteContext =>
  forVisitor(tx, {
    visitorId: chat.visitor_id,
    deviceId: chat.device_id,
    verified: chat.verified,
    language: chat.language,
  });

interface Speaker {
  visitorId: number;
  deviceId: number | null;
  verified: boolean;
  language: SessionRow['language'];
}

/** The context that acts for a visitor whom the site's own program names. */
export const forVisitor = (tx: SiteContext, { language, ...visitor }: Speaker): SiteContext =>
  tx.uncounted().as({
    kind: 'visitor',
    ...visitor,
    // Without a browser, only the program's word says whose chat it is.
    verified: visitor.verified || visitor.deviceId === null,
    ...(language && { language }),
  });
