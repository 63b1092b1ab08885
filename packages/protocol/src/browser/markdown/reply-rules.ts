/** Of the markdown of replies: as the desk and the widget read it, every line break counts. */
export const REPLY_MARKDOWN = { html: false, breaks: true } as const;

/** What no reply has: an indented line is no code, and a line under another makes no heading of it. */
export const REPLY_WITHOUT: string[] = ['code', 'lheading', 'reference', 'entity'];
