import { fillMacroText, type PlaceholderValues } from '@foyer/protocol';
import { AppError } from '../../base/errors.ts';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { TicketRow } from '../tickets.ts';

/** The author of a text. */
interface Names {
  agentName: string;
  siteName: string;
}

/**
 * A macro's text with its variables filled in, at most `max` characters.
 * @throws AppError 409 if missing values leave nothing, or the values make it too long
 */
export function filledText(body: string, values: PlaceholderValues, max: number): string {
  const text = fillMacroText(body, values).trim();
  if (text === '')
    throw new AppError('conflict', 'The macro’s text is empty here: its variables have no value.', {
      reason: 'macro_text_empty',
    });
  if (text.length > max)
    throw new AppError('conflict', 'The macro’s text is too long once its variables are filled in.', {
      reason: 'macro_text_long',
    });
  return text;
}

/** The values for texts about a ticket. */
export const valuesOfTicket = (row: TicketRow, { agentName, siteName }: Names): PlaceholderValues => ({
  'visitor.name': row.requester_name,
  'visitor.email': row.requester_email,
  'ticket.id': row.id,
  'ticket.subject': row.subject,
  'agent.name': agentName,
  'site.name': siteName,
});

/** The same for a chat. `ticket.subject` stays empty, because a chat has none. */
export const valuesOfChat = (chat: SessionRow, { agentName, siteName }: Names): PlaceholderValues => ({
  'visitor.name': chat.visitor_name,
  'visitor.email': chat.visitor_email,
  'ticket.id': chat.ticket_id,
  'ticket.subject': null,
  'agent.name': agentName,
  'site.name': siteName,
});
