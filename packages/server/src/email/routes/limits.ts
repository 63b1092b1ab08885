/** A mail of 25 MB with its attachments in base64. Larger ones are refused with this reason, or logged as rejected. */
export const MAIL_MAX_BYTES = 36 * 1024 * 1024;
/** Of a mail that is too large, for the log. */
export const HEADERS_MAX_BYTES = 64 * 1024;
