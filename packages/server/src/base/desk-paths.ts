/** Where the desk shows a chat, or else a ticket. */
export const inboxPath = (sessionId: string | null, ticketId: number | null): string =>
  `/app/inbox/${sessionId ?? `tickets/${ticketId}`}`;

/** A path of the desk, with the site to open it in: its reader may work for several. */
export const atSite = (siteId: number, path: string): string => `${path}?site=${siteId}`;
