import {
  type DeskErrorBody,
  type DeskIssue,
  ERROR_STATUS,
  type ErrorBody,
  type ErrorCode,
  type ErrorReason,
  ISSUE_REASONS,
  type IssueReason,
  type ReasonValues,
} from '@foyer/protocol';
import type { z } from 'zod';

interface AppErrorOptions {
  issues?: DeskIssue[];
  /** For the desk, which translates it. `values` fill the placeholders of the phrase. */
  reason?: ErrorReason;
  values?: ReasonValues;
  /** The caller may continue by solving a challenge. */
  isSolvable?: boolean;
  /** Headers of the response, such as `allow` or `retry-after`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The one error class: every error that a caller may see. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues: DeskIssue[] | undefined;
  readonly reason: ErrorReason | undefined;
  readonly values: ReasonValues | undefined;
  readonly isSolvable: boolean;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.issues = options.issues;
    this.reason = options.reason;
    this.values = options.values;
    this.isSolvable = options.isSolvable ?? false;
    this.headers = options.headers ?? {};
  }

  /** The public body: exactly the fields of the contract. */
  body(requestId: string): ErrorBody {
    const body: ErrorBody = { code: this.code, message: this.message, request_id: requestId };
    if (this.issues) body.issues = this.issues.map(({ path, message }) => ({ path, message }));
    return body;
  }

  deskBody(requestId: string): DeskErrorBody {
    const body: DeskErrorBody = this.body(requestId);
    if (this.issues) body.issues = this.issues;
    if (this.reason) body.reason = this.reason;
    if (this.values) body.values = this.values;
    return body;
  }
}

/** The same for another site's record and for one that never existed, so that callers can't distinguish them. */
export const notFound = (what: string): AppError => new AppError('not_found', `No such ${what}.`);

/** A 409 for a name that another record of the site has. */
export const nameTaken = (what: string, name: string): AppError =>
  new AppError('conflict', `A ${what} named ${JSON.stringify(name)} already exists.`, {
    reason: 'name_taken',
    values: { name },
  });

/** A 409 for a site that already has `count` records, the maximum. */
export const tooMany = (count: number, message: string): AppError =>
  new AppError('conflict', message, { reason: 'too_many', values: { count } });

/** A 400 whose message lists all issues, each after its path; an empty path concerns the input as a whole. */
export const invalidInput = (issues: DeskIssue[]): AppError =>
  new AppError(
    'invalid_input',
    issues.map((issue) => (issue.path ? `${issue.path}: ` : '') + issue.message).join('; '),
    {
      issues,
    },
  );

type Reasoned = Pick<DeskIssue, 'reason' | 'values'>;

const isIssueReason = (value: unknown): value is IssueReason =>
  ISSUE_REASONS.some((reason) => reason === value);

/** The reason that one of our own zod checks passed as its `params`. */
function reasonOfParams({ reason, name }: Record<string, unknown> = {}): Reasoned {
  if (!isIssueReason(reason)) return {};
  return typeof name === 'string' ? { reason, values: { name } } : { reason };
}

function reasonOfIssue(issue: z.core.$ZodIssue): Reasoned {
  switch (issue.code) {
    case 'too_small': {
      const count = Number(issue.minimum);
      if (issue.origin === 'string')
        return count === 1 ? { reason: 'empty' } : { reason: 'too_short', values: { count } };
      return { reason: issue.origin === 'array' ? 'too_few' : 'too_small', values: { count } };
    }
    case 'too_big': {
      const count = Number(issue.maximum);
      if (issue.origin === 'string') return { reason: 'too_long', values: { count } };
      return { reason: issue.origin === 'array' ? 'too_many' : 'too_large', values: { count } };
    }
    case 'invalid_format':
      return { reason: issue.format === 'email' ? 'email' : 'form' };
    case 'invalid_value':
      return { reason: 'choice' };
    case 'invalid_type':
      return { reason: 'form' };
    case 'custom':
      return reasonOfParams(issue.params);
    default:
      return {};
  }
}

/** Every problem of a parse at once; each unknown field is an issue with its path. */
export function issuesOf(error: z.ZodError): DeskIssue[] {
  return error.issues.flatMap((issue): DeskIssue[] => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys')
      return [{ path: path.join('.'), message: issue.message, ...reasonOfIssue(issue) }];
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      message: 'isn’t a known field',
      reason: 'unknown_field',
    }));
  });
}

/** Error codes of a broken connection, or of an unusable socket path. */
const LINE_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * PostgreSQL's error classes that don't concern the statement: connections, resources, operators (a shutdown, a
 * recovery, a statement that took too long); a session that was ended; a read-only server, as after a failover.
 */
const SERVER_ERRORS = /^(08...|53...|57...|25P03|25006)$/;

/** Messages of errors that have no code: of pg, and of Kysely and its pool once this process has closed them. */
const LOST_MESSAGES =
  /^driver has already been destroyed|^Cannot use a pool after calling end|^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout|^Client (was closed|has encountered a connection error) and is not queryable/;

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Whether pg stopped waiting for a statement's result. */
export const isAnswerLate = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

const READ_ONLY = '25006';

/** Whether the server refuses writes, as a standby does. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

/** As PostgreSQL reports a write to a standby, for a connection that turns out to be to one. */
export const standbyError = (): Error =>
  Object.assign(new Error('the database is a read-only standby'), { code: READ_ONLY });

/** Whether a standby ended the transaction, because what it read was removed or locked on the primary. */
export const isRecoveryConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

/** Whether the server ended the statement, because of its time limit or a request to cancel it. */
export const isStatementEnded = (error: unknown): boolean => codeOf(error) === '57014';

/** Whether `lock_timeout` ended the statement. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** Whether the database ended this transaction because of a deadlock. */
export const isDeadlock = (error: unknown): boolean => codeOf(error) === '40P01';

/** Whether a unique index refused the row; without `constraint`, any unique index. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined ||
    (typeof error === 'object' &&
      error !== null &&
      'constraint' in error &&
      error.constraint === constraint));

/** Whether the database couldn't be reached, or can't do its work at the moment. */
export function isDatabaseLost(error: unknown): boolean {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  return code === undefined ? LOST_MESSAGES.test(message) : LINE_ERRORS.has(code) || SERVER_ERRORS.test(code);
}

/** Converts any thrown value into the error that a caller may see. The only converter. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseLost(error)) {
    // Don't promise that nothing changed: a commit whose answer was lost may have succeeded.
    return new AppError('unavailable', 'The database is unavailable. Try again in a moment.', {
      cause: error,
      headers: { 'retry-after': '2' },
    });
  }
  return new AppError('internal', 'Internal error. The server’s log has a line with this request id.', {
    cause: error,
  });
}
