/** Where the desk shows a chat, or else a ticket. */
export const inboxPath = (sessionId: string | null, ticketId: number | null): string =>
  `/app/inbox/${sessionId ?? `tickets/${ticketId}`}`;
