import { getSession } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { getTicketRow } from '../tickets/tickets.ts';

/** The conversation that a caller names: one of the two, as the contract checks. */
interface Named {
  session_id?: string | undefined;
  ticket_id?: number | undefined;
}

/** The chat or ticket in which something is written, by table ids. */
export type Conversation =
  | { conversation_id: number; ticket_id: null }
  | { conversation_id: null; ticket_id: number };

/** @throws AppError 404, also for another site's. */
export async function findConversation(ctx: SiteContext, named: Named): Promise<Conversation> {
  if (named.session_id !== undefined)
    return { conversation_id: (await getSession(ctx, named.session_id)).id, ticket_id: null };
  const { id } = await getTicketRow(ctx, named.ticket_id ?? 0);
  return { conversation_id: null, ticket_id: id };
}
