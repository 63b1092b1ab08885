import { mailboxProblem, SERVER_SAYS } from '@foyer/protocol/values/mail/mailbox-problems';
import { SignInProblem } from '../../../mail/oauth/token-requests.ts';
import { AddressRefused } from '../../../net/address-guard.ts';

/** The attempted step, for the message about its failure. */
export interface Tried {
  host: string;
  port: number;
  user: string | null;
  /** How the message names the server: `IMAP` or `SMTP`. */
  protocol: 'IMAP' | 'SMTP';
  /** The name of the provider that it signs in with; unset: a password. */
  provider?: string | null | undefined;
  folder?: string;
}

const WORDS_MAX = 400;

interface Fields {
  code?: unknown;
  authenticationFailed?: unknown;
  mailboxMissing?: unknown;
  responseText?: unknown;
  serverResponseCode?: unknown;
  response?: unknown;
  reason?: unknown;
  tlsFailed?: unknown;
  responseCode?: unknown;
}

const fieldsOf = (error: unknown): Fields => (typeof error === 'object' && error !== null ? error : {});

/** The server's own words, if it gave any. */
function answerOf(fields: Fields): string {
  const words = [fields.responseText, fields.response, fields.reason].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  return words === undefined ? '' : SERVER_SAYS + words.trim().slice(0, WORDS_MAX).toWellFormed();
}

const UNREACHABLE: Readonly<Record<string, 'port_refused' | 'port_unreachable' | 'port_silent'>> = {
  ECONNREFUSED: 'port_refused',
  EHOSTUNREACH: 'port_unreachable',
  ENETUNREACH: 'port_unreachable',
  ECONNECTION: 'port_unreachable',
  ETIMEDOUT: 'port_silent',
  ETIMEOUT: 'port_silent',
  CONNECT_TIMEOUT: 'port_silent',
};

const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|ETLS|UPGRADE_TIMEOUT)/;
/** A mail library gives every error after the connection the same code. */
const TLS_WORDS = /certificate|\bssl\b|\btls\b/i;
const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'EDNS']);
const LOGIN_CODES = new Set(['EAUTH', 'ENOAUTH']);
const QUOTA = /quota|over limit|mailbox (is )?full/i;

/** A network error that a library has wrapped in its own. */
function rootOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? rootOf(cause) : error;
}

function networkProblem(code: string, detail: string, { host, port, protocol }: Tried): string | undefined {
  if (DNS_CODES.has(code)) return mailboxProblem('dns_unknown', { host });
  if (TLS_CODES.test(code) || (code === 'ESOCKET' && TLS_WORDS.test(detail)))
    return mailboxProblem('tls', { host, port, detail });
  const unreachable = UNREACHABLE[code];
  if (unreachable) return mailboxProblem(unreachable, { host, port });
  if (code === 'GREETING_TIMEOUT' || code === 'EGREETING')
    return mailboxProblem('port_greeting', { host, port, protocol });
  return undefined;
}

/** Says in one sentence what failed: DNS, port, TLS, login, folder or quota, with the server’s own words. */
export function connectionProblem(error: unknown, tried: Tried): string {
  const { host, port, user, protocol, folder, provider } = tried;
  if (error instanceof SignInProblem) return error.message;
  const root = rootOf(error);
  if (root instanceof AddressRefused) return mailboxProblem('dns_private', { host });
  const fields = { ...fieldsOf(root), ...fieldsOf(error) };
  const message = (root instanceof Error ? root.message : String(root)).slice(0, WORDS_MAX).toWellFormed();
  const code = typeof fields.code === 'string' ? fields.code : '';
  const answer = answerOf(fields);
  if (fields.authenticationFailed === true || LOGIN_CODES.has(code))
    return provider
      ? mailboxProblem('token', { host, provider, user: user ?? '', answer })
      : mailboxProblem('login', { host, user: user ?? '', answer });
  if (QUOTA.test(answer) || fields.serverResponseCode === 'OVERQUOTA')
    return mailboxProblem('quota', { answer });
  if (folder !== undefined && (fields.mailboxMissing === true || fields.serverResponseCode === 'NONEXISTENT'))
    return mailboxProblem('folder', { host, folder, answer });
  if (fields.tlsFailed === true) return mailboxProblem('tls', { host, port, detail: message });
  return networkProblem(code, message, tried) ?? `${protocol}: ${message}${answer}`;
}
