import type { MAIL_PROVIDERS } from '@foyer/protocol/values/wire-names';
import type { MailSignInSettings, OAuthClient } from './settings.ts';

export type MailProviderId = (typeof MAIL_PROVIDERS)[number];

interface Server {
  readonly host: string;
  readonly port: number;
  readonly security: 'starttls' | 'tls';
}

/** Where a provider signs people in, and its mail servers: tokens are sent to no other. */
export interface MailEndpoints {
  readonly issuer: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly imap: Server;
  readonly smtp: Server;
}

/** A mail provider whose users sign in there instead of giving Foyer a password. */
export interface MailProvider extends MailEndpoints {
  readonly name: string;
  /** Undefined: the operator hasn't registered this installation. */
  readonly client: OAuthClient | undefined;
  readonly scopes: readonly string[];
  /** Without these scopes, mail can't be read or sent. */
  readonly neededScopes: readonly string[];
  /** Further parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface MailProviders extends Readonly<Record<MailProviderId, MailProvider>> {
  /** How requests to the token endpoints are sent. */
  readonly fetch: typeof fetch;
}

const GOOGLE: MailEndpoints = {
  issuer: 'https://accounts.google.com',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
};
const GMAIL = ['https://mail.google.com/'];

const microsoftOf = (tenant: string): MailEndpoints => ({
  issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
  authorizeUrl: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
  tokenUrl: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
  imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
});
const OUTLOOK = ['https://outlook.office.com/IMAP.AccessAsUser.All', 'https://outlook.office.com/SMTP.Send'];

/** @param endpoints replaces the providers' servers, for tests */
export function createMailProviders(
  { google, microsoft, microsoftTenant }: MailSignInSettings,
  guardedFetch: typeof fetch,
  endpoints: Partial<Record<MailProviderId, MailEndpoints>> = {},
): MailProviders {
  return {
    fetch: guardedFetch,
    google: {
      name: 'Google',
      client: google,
      scopes: GMAIL,
      neededScopes: GMAIL,
      // Google returns a refresh token only for offline access, and after the first time only with consent.
      parameters: { access_type: 'offline', prompt: 'consent' },
      ...(endpoints.google ?? GOOGLE),
    },
    microsoft: {
      name: 'Microsoft',
      client: microsoft,
      scopes: [...OUTLOOK, 'offline_access'],
      neededScopes: OUTLOOK,
      // Otherwise the provider uses the browser's current account without asking.
      parameters: { prompt: 'select_account' },
      ...(endpoints.microsoft ?? microsoftOf(microsoftTenant)),
    },
  };
}

declare module '../../core/context.ts' {
  interface Services {
    readonly mailProviders: MailProviders;
  }
}
