/** Every `error.code` and its HTTP status (decisions 2). */
export const ERROR_STATUS = {
  invalid_input: 400,
  invalid_json: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  plan_limit: 403,
  unknown_resource: 404,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One thing that is wrong with an input; `path` is dotted (`requester.email`), empty for the whole. */
export interface Issue {
  path: string;
  message: string;
}

/** The `error` of a failed answer, over every door. `issues` only with a 400. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  request_id: string;
  issues?: Issue[];
}

export interface PageInfo {
  limit: number;
  /** Opaque; null on the last page. */
  next_cursor: string | null;
}

export interface Success<T> {
  ok: true;
  data: T;
  request_id: string;
  page?: PageInfo;
}

export interface Failure {
  ok: false;
  error: ErrorBody;
}

/** The answer of every door: REST, dashboard, widget (interface, "Response envelope"). */
export type Envelope<T> = Success<T> | Failure;
