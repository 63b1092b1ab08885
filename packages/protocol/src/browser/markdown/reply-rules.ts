/** For the markdown of replies: every line break counts, as in the desk and the widget. */
export const REPLY_MARKDOWN = { html: false, breaks: true } as const;

/** Rules that replies don't have: indentation is no code, and underlining makes no heading. */
export const REPLY_WITHOUT: string[] = ['code', 'lheading', 'reference', 'entity'];
