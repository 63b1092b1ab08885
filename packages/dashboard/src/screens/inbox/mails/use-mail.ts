import type { TicketMailEntry } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { ticketMailsQuery } from '../../../queries.ts';

export interface MailOf {
  ticketId: number;
  /** Null: the ticket's description. */
  replyId: number | null;
}

/** The mail of a message; undefined while it loads, and if there is none. */
export function useMail({ ticketId, replyId }: MailOf): TicketMailEntry | undefined {
  const { data } = useQuery(ticketMailsQuery(ticketId));
  return data?.mails.find(({ reply_id }) => reply_id === replyId);
}
