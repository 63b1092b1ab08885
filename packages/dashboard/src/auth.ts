import { ApiError } from './api.ts';

/** A device that is signed in. */
export interface DeviceSession {
  id: string;
  token: string;
  createdAt: string;
  updatedAt: string;
  ipAddress?: string | null;
  userAgent?: string | null;
}

interface Refusal {
  code?: string;
  message?: string;
  error?: { message?: string; request_id?: string };
}

/** What the sign-in door refuses, in words that tell nobody whether an account exists. */
function refusal(status: number, body: Refusal | null, requestId: string): ApiError {
  if (status === 429) {
    return new ApiError('rate_limited', 'Too many tries. Wait a minute, then try again.', requestId);
  }
  if (body?.code === 'INVALID_EMAIL_OR_PASSWORD') {
    return new ApiError('invalid_input', 'E-mail address or password is wrong.', requestId);
  }
  if (body?.code === 'INVALID_PASSWORD') {
    return new ApiError('invalid_input', 'The current password is wrong.', requestId);
  }
  const message = body?.error?.message ?? body?.message ?? 'This did not work. Try again in a moment.';
  if (status >= 500) return new ApiError('unavailable', message, requestId);
  return new ApiError('invalid_input', message, requestId);
}

/** Speaks with the sign-in door, which has its own form of answers. */
async function auth<T>(path: string, method: 'GET' | 'POST', body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/app/auth/${path}`, {
      method,
      credentials: 'same-origin',
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('network', 'The server can’t be reached. Check your connection, then try again.');
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    throw refusal(response.status, answer, response.headers.get('X-Service-Request-Id') ?? '');
  }
  return answer;
}

export const signIn = (email: string, password: string): Promise<unknown> =>
  auth('sign-in/email', 'POST', { email, password });

/** Leaves, and forgets everything that this page knew. */
export async function signOut(): Promise<void> {
  await auth('sign-out', 'POST', {});
  location.assign('/app/sign-in');
}

/** Other devices are signed out with it. */
export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  auth('change-password', 'POST', { currentPassword, newPassword, revokeOtherSessions: true });

export const signOutElsewhere = (): Promise<unknown> => auth('revoke-other-sessions', 'POST', {});

export const listDevices = (): Promise<DeviceSession[]> => auth('list-sessions', 'GET');

/** A session rolls only when it is asked for: who works here every day is never signed out. */
export const prolongSession = (): Promise<unknown> => auth('get-session', 'GET');
