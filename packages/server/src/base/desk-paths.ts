/** The path of a chat in the desk, or of a ticket if there is no chat. */
export const inboxPath = (sessionId: string | null, ticketId: number | null): string =>
  `/app/inbox/${sessionId ?? `tickets/${ticketId}`}`;

/** A desk path that also names the site, because the reader may work for several. */
export const atSite = (siteId: number, path: string): string => `${path}?site=${siteId}`;

/** The path that a notification opens: its chat or ticket, or the mailboxes if it is about neither. */
export const notificationPath = (sessionId: string | null, ticketId: number | null): string =>
  sessionId === null && ticketId === null ? '/app/settings/mailboxes' : inboxPath(sessionId, ticketId);
