import { AddressRefused } from '../../../net/address-guard.ts';

/** What was tried, for the words about its failure. */
export interface Tried {
  host: string;
  port: number;
  user: string | null;
  /** What the server's own words are called: `IMAP` or `SMTP`. */
  protocol: 'IMAP' | 'SMTP';
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

/** The server's own words, if it said any. */
function answerOf(fields: Fields): string {
  const words = [fields.responseText, fields.response, fields.reason].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  return words === undefined ? '' : ` The server says: ${words.trim().slice(0, WORDS_MAX).toWellFormed()}`;
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections on port',
  EHOSTUNREACH: 'can’t be reached on port',
  ENETUNREACH: 'can’t be reached on port',
  ETIMEDOUT: 'doesn’t answer on port',
  ETIMEOUT: 'doesn’t answer on port',
  CONNECT_TIMEOUT: 'doesn’t answer on port',
  ECONNECTION: 'can’t be reached on port',
};

const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|ETLS|UPGRADE_TIMEOUT)/;
const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'EDNS']);
const LOGIN_CODES = new Set(['EAUTH', 'ENOAUTH']);
const QUOTA = /quota|over limit|mailbox (is )?full/i;

/** A network error that a library has wrapped in its own. */
function rootOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? rootOf(cause) : error;
}

function networkProblem(code: string, message: string, { host, port, protocol }: Tried): string | undefined {
  if (DNS_CODES.has(code)) return `DNS: no server is named ${host}.`;
  if (TLS_CODES.test(code))
    return `TLS: no encrypted connection to ${host} on port ${port} (${message.slice(0, WORDS_MAX)}). Check the port, the encryption and the server’s certificate.`;
  const unreachable = UNREACHABLE[code];
  if (unreachable) return `Port: ${host} ${unreachable} ${port}. Check the port and the firewall.`;
  if (code === 'GREETING_TIMEOUT' || code === 'EGREETING')
    return `Port: ${host} accepts connections on port ${port}, but sends no ${protocol} greeting. Check the port and the encryption.`;
  return undefined;
}

/** Says in one sentence what failed: DNS, port, TLS, login, folder or quota, with the server’s own words. */
export function connectionProblem(error: unknown, tried: Tried): string {
  const { host, port, user, protocol, folder } = tried;
  const root = rootOf(error);
  if (root instanceof AddressRefused) return `DNS: ${host} doesn’t have a public address.`;
  const fields = { ...fieldsOf(root), ...fieldsOf(error) };
  const message = root instanceof Error ? root.message : String(root);
  const code = typeof fields.code === 'string' ? fields.code : '';
  const said = answerOf(fields);
  if (fields.authenticationFailed === true || LOGIN_CODES.has(code))
    return `Login: ${host} doesn’t accept the user name ${user ?? ''} with this password.${said}`;
  if (QUOTA.test(said) || fields.serverResponseCode === 'OVERQUOTA')
    return `Quota: the mailbox is full.${said}`;
  if (folder !== undefined && (fields.mailboxMissing === true || fields.serverResponseCode === 'NONEXISTENT'))
    return `Folder: ${host} has no folder named ${folder}.${said}`;
  if (fields.tlsFailed === true)
    return `TLS: no encrypted connection to ${host} on port ${port} (${message.slice(0, WORDS_MAX)}).`;
  const network = networkProblem(code, message, tried);
  if (network !== undefined) return network;
  return `${protocol}: ${message.slice(0, WORDS_MAX).toWellFormed()}${said}`;
}
