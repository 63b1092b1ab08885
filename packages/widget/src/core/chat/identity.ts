import type { HelloFrame, ServerFrame } from '@foyer/protocol';
import { URL_MAX } from '@foyer/protocol/values/bounds';
import type { Storage } from '../storage.ts';
import type { Visitor } from './parts.ts';
import { KEY, TOKEN } from './stored.ts';

const LOCALE_MAX = 35;

/** The visitor for whom this tab acts. */
export interface Identity {
  visitor: Visitor;
  /** The token that this tab uses or has sent. Another tab may have stored a different one since. */
  token: unknown;
  /** Uploads that wait for the first token. */
  waiters: ((token: string) => void)[];
}

export const createIdentity = (): Identity => ({ visitor: {}, token: null, waiters: [] });

const cut = (text: string | undefined) => text?.slice(0, URL_MAX);

/** The visitor's page, within the server's limits. */
export const pageOf = ({ visitor }: Identity) => ({
  page_url: cut(visitor.page_url),
  page_title: cut(visitor.page_title),
  referrer: cut(visitor.referrer),
});

/** The first frame of a connection. From now on this tab uses the token in it. */
export const createHello = (identity: Identity, storage: Storage, solves: boolean): HelloFrame => {
  const { visitor } = identity;
  const token = storage.read(TOKEN);
  identity.token = token;
  return {
    type: 'hello',
    token: typeof token === 'string' ? token : undefined,
    key: visitor.key || undefined,
    user_hash: visitor.user_hash || undefined,
    attributes: visitor.attributes,
    ...pageOf(identity),
    locale: visitor.locale?.slice(0, LOCALE_MAX) || undefined,
    solves,
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
};

/**
 * Stores what the server says about the visitor.
 * @returns false if another tab stored a token since this one's hello: the first stored token wins, and this tab
 * must say hello again with it
 */
export const acceptWelcome = (
  identity: Identity,
  storage: Storage,
  { token, visitor }: Extract<ServerFrame, { type: 'welcome' }>,
): boolean => {
  const stored = storage.read(TOKEN);
  if (typeof stored === 'string' && stored !== identity.token && stored !== token) return false;
  storage.write(TOKEN, token);
  identity.token = token;
  for (const resolve of identity.waiters.splice(0)) resolve(token);
  storage.write(KEY, visitor.key);
  return true;
};

/** This browser's token; `connect` runs if there is none yet. */
export const awaitToken = (identity: Identity, storage: Storage, connect: () => void): Promise<string> => {
  const token = storage.read(TOKEN);
  if (typeof token === 'string') return Promise.resolve(token);
  connect();
  return new Promise((resolve) => identity.waiters.push(resolve));
};
