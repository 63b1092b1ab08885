import type { DeskErrorBody } from '@foyer/protocol';
import { ApiError } from './api.ts';
import { inWords } from './errors/refusals.ts';
import { forgetSite } from './site.ts';
import { tCommon } from './t-common.ts';

/** A server that is silent for longer hangs. Passwords are checked slowly on purpose. */
const ANSWER_LIMIT_MS = 30_000;

interface Refused {
  error?: DeskErrorBody;
}

/** The errors of the sign-in entry point. A wrong password doesn't end a session, so it is never `unauthorized`. */
async function refusal(status: number, body: Refused | null, requestId: string): Promise<ApiError> {
  const code = status >= 500 ? 'unavailable' : 'invalid_input';
  if (!body?.error) return new ApiError(code, tCommon('auth_failed'), requestId);
  const { message, issues } = await inWords(body.error);
  return new ApiError(code, message, requestId, issues, body.error.reason);
}

/** Running calls to the sign-in entry point. */
const open = new Set<Promise<unknown>>();

/**
 * Waits until this page has received its new cookie: a session may be replaced, and its sockets closed, before the
 * new cookie has arrived.
 */
export const signInSettled = (): Promise<unknown> => Promise.allSettled(open);

/** Calls the sign-in entry point, whose responses have their own form. */
export function auth<T>(path: string, method: 'GET' | 'POST', body?: unknown): Promise<T> {
  const answer = ask<T>(path, method, body);
  open.add(answer);
  const over = (): void => void open.delete(answer);
  answer.then(over, over);
  return answer;
}

async function ask<T>(path: string, method: 'GET' | 'POST', body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/app/auth/${path}`, {
      method,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('network', tCommon('auth_no_answer'));
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    throw await refusal(response.status, answer, response.headers.get('X-Service-Request-Id') ?? '');
  }
  return answer;
}

/** Signs out, and forgets everything that this page knew. */
export async function signOut(): Promise<void> {
  await auth('sign-out', 'POST', {});
  forgetSite();
  location.assign('/app/sign-in');
}

/** A session is only extended on request: this keeps an agent who works here every day signed in. */
export const prolongSession = (): Promise<unknown> => auth('get-session', 'GET');
