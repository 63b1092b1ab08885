import type { ErrorCode, Issue } from '@foyer/protocol';

/**
 * `network`: no answer came. `timeout`: none came in time. `unreadable`: what came is no answer of Foyer's. After any
 * of them nothing is known of what the server did.
 */
export type FoyerErrorCode = ErrorCode | 'network' | 'timeout' | 'unreadable';

export interface FoyerErrorParts {
  code: FoyerErrorCode;
  message: string;
  status?: number;
  requestId?: string;
  issues?: readonly Issue[];
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The one error that a call throws, save for the caller's own `signal`, whose reason is thrown as it is. */
export class FoyerError extends Error {
  readonly code: FoyerErrorCode;
  /** Of the answer; 0 when none came. */
  readonly status: number;
  /** Quote it when you report a problem; empty when no answer came. */
  readonly requestId: string;
  /** Every problem of a bad input at once. */
  readonly issues: readonly Issue[];
  /** Seconds that the server asked to wait. */
  readonly retryAfter: number | undefined;

  constructor({
    code,
    message,
    status = 0,
    requestId = '',
    issues = [],
    retryAfter,
    cause,
  }: FoyerErrorParts) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'FoyerError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.issues = issues;
    this.retryAfter = retryAfter;
  }
}
