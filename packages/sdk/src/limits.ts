/** Calls that wait for consent. */
export const HELD_MAX = 100;
/** docs/contract/interface.md, "Limits", as are the next two. */
export const IDENTIFY_DEBOUNCE_MS = 800;
export const OUTBOX_MAX = 100;
export const CONCURRENT_MAX = 6;
/**
 * Browsers allow 64 KiB for the bodies of all `keepalive` requests of a page together, and only those outlive the
 * page. What doesn't fit waits its turn, and is still stored when the page closes.
 */
export const KEEPALIVE_MAX_BYTES = 60_000;
export const REQUEST_TIMEOUT_MS = 20_000;
/** The pause before the first retry. Each further one is longer. */
export const RETRY_FIRST_MS = 2_000;
/** The launcher and the site's look are asked for this often, until the network is back. */
export const CHAT_TRIES = 3;
export const CHAT_RETRY_MS = 10_000;
