/** Limits of a mail. A mail that exceeds one is kept in the mail log, with the reason. */
/** 25 MB of files, which base64 makes a third larger, and the text around them. Routes accept no more. */
export const MAIL_MAX_BYTES = 36 * 1024 * 1024;
export const MAIL_MAX_PARTS = 300;
export const MAIL_MAX_DEPTH = 50;
export const MAIL_MAX_HEADER_BYTES = 512 * 1024;

export type Refusal =
  | 'empty'
  | 'too_large'
  | 'too_many_parts'
  | 'nested_too_deeply'
  | 'headers_too_large'
  | 'too_complex'
  | 'no_sender';

/** A mail that can't be processed, however often it is tried. */
export class MailUnreadable extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
