/** Of a mail that is too large, for the log. */
export const HEADERS_MAX_BYTES = 64 * 1024;
