import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, invalidInput } from '../../base/errors.ts';
import { ADDRESS_HEADER, type Auth } from '../../sites/sign-in/auth.ts';

/** Headers for better-auth: the cookie, the browser's name, and the address as Foyer knows it. */
export function authHeaders(request: FastifyRequest, auth: Auth): Headers {
  const headers = new Headers({
    [ADDRESS_HEADER]: request.ip,
    'user-agent': request.headers['user-agent'] ?? '',
    origin: new URL(auth.address.startUrl).origin,
    'content-type': 'application/json',
  });
  if (request.headers.cookie !== undefined) headers.set('cookie', request.headers.cookie);
  return headers;
}

/** Adds a `set-cookie` header for each, keeping existing ones. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) void reply.header('set-cookie', cookie);
}

/** Removes session tokens from a body: they belong only in the signed cookie. */
const withoutTokens = (json: string): unknown =>
  JSON.parse(json, (key, value) => (key === 'token' ? undefined : value));

const REFUSALS: Record<string, AppError> = {
  INVALID_EMAIL: new AppError('unauthorized', 'Wrong email or password.', {
    reason: 'wrong_sign_in',
  }),
  INVALID_EMAIL_OR_PASSWORD: new AppError('unauthorized', 'Wrong email or password.', {
    reason: 'wrong_sign_in',
  }),
  INVALID_CODE: new AppError('unauthorized', 'The code is wrong or already used. Wait for the next one.', {
    reason: 'wrong_code',
  }),
  INVALID_BACKUP_CODE: new AppError('unauthorized', 'The backup code is wrong or already used.', {
    reason: 'wrong_backup_code',
  }),
  INVALID_TWO_FACTOR_COOKIE: new AppError(
    'unauthorized',
    'The sign-in expired, or there were too many attempts. Sign in again.',
    {
      reason: 'sign_in_again',
    },
  ),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: new AppError('unauthorized', 'Too many attempts. Sign in again.', {
    reason: 'sign_in_again',
  }),
  ACCOUNT_TEMPORARILY_LOCKED: new AppError('rate_limited', 'Too many wrong codes. Try again in 15 minutes.', {
    reason: 'codes_locked',
    headers: { 'retry-after': '900' },
  }),
  TOTP_ALREADY_ENABLED: new AppError('conflict', 'Two-factor authentication is already on.', {
    reason: 'two_factor_on',
  }),
  TWO_FACTOR_NOT_ENABLED: new AppError('conflict', 'Two-factor authentication is off.', {
    reason: 'two_factor_off',
  }),
  TOTP_NOT_ENABLED: new AppError('conflict', 'Two-factor authentication is off.', {
    reason: 'two_factor_off',
  }),
  INVALID_PASSWORD: invalidInput([
    { path: 'currentPassword', message: 'is incorrect', reason: 'wrong_password' },
  ]),
};
const WRONG_PASSWORD = invalidInput([
  { path: 'password', message: 'is incorrect', reason: 'wrong_password' },
]);

function refusalOf(status: number, json: string, sent: object): AppError {
  const body = z
    .object({ code: z.string().optional(), message: z.string().optional() })
    .safeParse(JSON.parse(json || '{}'));
  const code = body.data?.code ?? '';
  const known = code === 'INVALID_PASSWORD' && 'password' in sent ? WRONG_PASSWORD : REFUSALS[code];
  if (known) {
    const { message, issues, reason, headers } = known;
    return new AppError(known.code, message, {
      ...(issues && { issues }),
      ...(reason && { reason }),
      headers,
    });
  }
  if (status === 401) return new AppError('unauthorized', 'Sign in first.');
  if (status === 403) return new AppError('insufficient_scope', body.data?.message ?? 'Not allowed.');
  return new AppError('invalid_input', body.data?.message ?? 'The request is malformed.');
}

/** better-auth's response without session tokens. */
export interface Passed {
  status: number;
  cookies: string[];
  body: unknown;
}

/** Lets better-auth answer in its own form; a refusal becomes an AppError, as everywhere. */
export async function pass(request: FastifyRequest, auth: Auth, body: object = {}): Promise<Passed> {
  const address = new URL(request.url.split('?', 1)[0] ?? '', auth.address.startUrl);
  const response = await auth.handle(
    new Request(address, {
      method: request.method,
      headers: authHeaders(request, auth),
      ...(request.method === 'GET' ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const json = await response.text();
  if (!response.ok) throw refusalOf(response.status, json, body);
  return {
    status: response.status,
    cookies: response.headers.getSetCookie(),
    body: withoutTokens(json || 'null'),
  };
}

/** The response's cookies as the next request's `cookie` header. */
export const cookiesOf = ({ cookies }: Pick<Passed, 'cookies'>): string =>
  cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');

/**
 * Sends the response with its own status and cookies, without the success envelope: pages expect better-auth's
 * form.
 */
export function send(reply: FastifyReply, { status, cookies, body }: Passed): FastifyReply {
  setCookies(reply, cookies);
  void reply.code(status).type('application/json; charset=utf-8');
  return reply.send(JSON.stringify(body));
}
