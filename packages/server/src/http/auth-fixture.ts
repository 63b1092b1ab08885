import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { type Auth, createAuth } from '../sites/auth.ts';
import type { SiteFixture } from '../sites/site-fixture.ts';
import { registerAuthRoutes } from './auth-routes.ts';
import { createServer } from './server.ts';

// For the tests of the doors in front of sign-in.

export interface AuthDoor {
  server: FastifyInstance;
  auth: Auth;
  /** Whose sessions ended, in order. */
  ended: string[];
  post(path: string, body?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

export function openAuthDoor(
  db: SiteFixture['db'],
  options: { baseUrl?: string; trustProxy?: string; now?: () => Date; attemptsPerAccount?: number } = {},
): AuthDoor {
  const { baseUrl = 'http://foyer.test', trustProxy, ...limits } = options;
  const log = pino({ level: 'silent' });
  const ended: string[] = [];
  const auth = createAuth({
    db,
    baseUrl,
    secret: 'a secret of more than thirty-two characters',
    log,
    onSessionsEnded: (userId) => ended.push(userId),
  });
  const server = createServer({ log, trustProxy });
  registerAuthRoutes(server, auth, limits);
  const origin = new URL(baseUrl).origin;
  return {
    server,
    auth,
    ended,
    post: (url, body = {}, headers = {}) =>
      server.inject({ method: 'POST', url, payload: body, headers: { origin, ...headers } }),
    get: (url, headers = {}) => server.inject({ method: 'GET', url, headers }),
  };
}

/** The cookies that an answer sets, as the next request sends them. */
export const cookieOf = (answer: LightMyRequestResponse): string =>
  answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
