import type {
  DeskErrorBody,
  ErrorCode,
  Failure,
  InputOf,
  Issue,
  OperationName,
  OutputOf,
  Success,
} from '@foyer/protocol';
import { PAGE_LIMIT_MAX } from '@foyer/protocol/values/bounds';
import { inWords } from './errors/refusals.ts';
import { leaveSite, siteHeaders } from './site.ts';
import { tCommon } from './t-common.ts';

/** `network`: no response arrived, so what the server did is unknown. */
type ApiErrorCode = ErrorCode | 'network';

const isWithin = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`);

/** The one error that every call to the server throws, in the agent's language. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** Empty if no response arrived. */
  readonly requestId: string;
  readonly issues: readonly Issue[];
  /** The exact reason, for callers that handle it. */
  readonly reason: DeskErrorBody['reason'];

  constructor(
    code: ApiErrorCode,
    message: string,
    requestId = '',
    issues: readonly Issue[] = [],
    reason?: DeskErrorBody['reason'],
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.requestId = requestId;
    this.issues = issues;
    this.reason = reason;
  }

  /** Whether the same call may succeed later without any change. */
  get passes(): boolean {
    return ['network', 'unavailable', 'internal', 'rate_limited'].includes(this.code);
  }

  /** The request id to show: where the server failed, its log says more. Other messages say all there is. */
  get reference(): string {
    return this.code === 'internal' || this.code === 'unavailable' ? this.requestId : '';
  }

  /** The error of one field of the input, if there is one. */
  issue(path: string): string | undefined {
    return this.issues.find((one) => one.path === path)?.message;
  }

  /** The first error of a field with parts, such as a list. */
  issueWithin(path: string): string | undefined {
    return this.issues.find((one) => isWithin(one.path, path))?.message;
  }

  /**
   * Whether all errors concern these fields, which show them themselves. Otherwise something would be shown
   * nowhere.
   */
  isOnlyOf(fields: readonly string[]): boolean {
    return (
      this.issues.length > 0 && this.issues.every(({ path }) => fields.some((field) => isWithin(path, field)))
    );
  }
}

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

interface AnyPage {
  items: unknown[];
}
export type ItemOf<N extends OperationName> = Extract<OutputOf<N>, AnyPage>['items'][number];
type OneOf<N extends OperationName> = Exclude<OutputOf<N>, AnyPage>;

interface Answer<T> {
  data: T;
  page?: { next_cursor: string | null };
}

let isIdle = false;
/** Sets whether nobody has used this page for a while: then its automatic requests don't keep the agent signed in. */
export const setIdle = (idle: boolean): void => {
  isIdle = idle;
};

const headerId = (response: Response): string => response.headers.get('X-Service-Request-Id') ?? '';

/** How long a server may be silent before it counts as hung, and the message that is then shown. */
interface Patience {
  ms: number;
  late: 'no_answer' | 'late';
}

/** For calls that can be repeated over another connection. No statement of the server takes longer. */
const SHORT: Patience = { ms: 10_000, late: 'no_answer' };
/** For language models, which are slow. */
const LONG: Patience = { ms: 60_000, late: 'no_answer' };
/** For writes, which the server may have carried out. */
const WRITE: Patience = { ms: 60_000, late: 'late' };
/** For a part of a file over a slow connection. */
const UPLOAD: Patience = { ms: 120_000, late: 'no_answer' };

interface Request extends RequestInit {
  headers?: Record<string, string>;
  patience: Patience;
}

/** Aborts after a time, unless that is extended. */
function createLimit(ms: number) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer = setTimeout(abort, ms);
  return {
    signal: controller.signal,
    end: () => clearTimeout(timer),
    putOff(by: number) {
      clearTimeout(timer);
      timer = setTimeout(abort, by);
    },
  };
}

/** Sends a request and unwraps the envelope. Every failure becomes an `ApiError`. */
async function ask<T>(path: string, { patience, ...init }: Request): Promise<Answer<T>> {
  const limit = createLimit(patience.ms);
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
  try {
    // Once it answers, the rest may come slowly.
    return await exchange<T>(path, { ...init, signal }, () => limit.putOff(LONG.ms));
  } catch (error) {
    const isLate = limit.signal.aborted && !init.signal?.aborted && !(error instanceof ApiError);
    if (isLate) throw new ApiError('network', tCommon(patience.late));
    throw error;
  } finally {
    limit.end();
  }
}

async function exchange<T>(
  path: string,
  { headers, ...init }: Omit<Request, 'patience'>,
  onAnswer: () => void,
): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, {
      credentials: 'same-origin',
      headers: { ...siteHeaders(), ...(isIdle && { 'X-Foyer-Idle': '1' }), ...headers },
      ...init,
    });
    onAnswer();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError('network', tCommon('no_answer'));
  }
  let envelope: Success<T> | Failure<DeskErrorBody>;
  try {
    envelope = await response.json();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(
      response.status >= 500 ? 'unavailable' : 'internal',
      tCommon('not_ours'),
      headerId(response),
    );
  }
  if (envelope?.ok === true) return envelope;
  const error = envelope?.error;
  if (!error) throw new ApiError('internal', tCommon('not_ours'), headerId(response));
  if (error.reason === 'site_left') {
    leaveSite();
    // The page is being replaced: nothing on it continues, and no error may flash up.
    return new Promise(() => undefined);
  }
  const { message, issues } = await inWords(error);
  throw new ApiError(error.code, message, error.request_id, issues, error.reason);
}

/** Reads from an address without an operation. */
export const get = <T>(path: string): Promise<Answer<T>> => ask<T>(path, { patience: SHORT });

/** Sends JSON. */
export const post = <T>(
  path: string,
  body: unknown,
  signal?: AbortSignal,
  patience = WRITE,
): Promise<Answer<T>> =>
  ask<T>(path, {
    patience,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Sends a part of a file. */
export const putBytes = (path: string, body: Blob): Promise<Answer<unknown>> =>
  ask(path, {
    patience: UPLOAD,
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  });

const address = (name: OperationName): string => `/app/api/${name}`;

/** Writes that can't happen twice: they carry an id or a version, or set what is set already. */
const REPEATABLE: ReadonlySet<OperationName> = new Set([
  'sessions.reply',
  'sessions.note',
  'sessions.close',
  'tickets.reply',
  'drafts.save',
]);

function patienceOf(name: OperationName, signal: AbortSignal | undefined): Patience {
  if (REPEATABLE.has(name)) return SHORT;
  if (!signal) return WRITE;
  return name.startsWith('copilot.') ? LONG : SHORT;
}

/**
 * Runs an operation that returns one thing.
 * @param signal of a query, which asks again if no answer comes soon
 */
export async function call<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<OneOf<N>> {
  return (await post<OneOf<N>>(address(name), input, signal, patienceOf(name, signal))).data;
}

/** Runs an operation that returns a page of a list. */
export async function callPage<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<Page<ItemOf<N>>> {
  const answer = await post<ItemOf<N>[]>(address(name), input, signal, patienceOf(name, signal));
  return { items: answer.data, next_cursor: answer.page?.next_cursor ?? null };
}

/** The maximum for lists that are shown as one choice, or on one screen without pages. */
const ALL_MAX = 1_000;

/** Runs a paged operation until its end, for things that people create by hand: tags, macros, webhooks. */
export async function callPages<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<{ items: ItemOf<N>[] }> {
  const items: ItemOf<N>[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<ItemOf<N>> = await callPage(
      name,
      { ...input, limit: PAGE_LIMIT_MAX, ...(cursor ? { cursor } : {}) },
      signal,
    );
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < ALL_MAX);
  return { items };
}
