/** The names under which a chat stores values; those of the outbox are in outbox.ts. */

/** This browser's token, which all tabs share. */
export const TOKEN = 'token';
/** The visitor's key as of the last welcome. */
export const KEY = 'key';
/** Unsent text by chat. */
export const DRAFTS = 'drafts';
/** The visitor wants no sound. */
export const MUTED = 'muted';
/** The visitor chose files here: some may be unsent. */
export const FILES = 'files';
/** The last chat that became a session, for the other tabs. */
export const MOVED = 'moved';
