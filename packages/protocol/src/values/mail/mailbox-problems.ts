import type { Gaps } from '../phrases.ts';
import { readerOf, sentenceWith } from '../sentences.ts';

/** Precedes the mail server's own words. */
export const SERVER_SAYS = ' The server says: ';

/**
 * Why a mailbox fails: the step of the connection, what is wrong with it, and what the server answered, if anything.
 * REST, the command line and the database contain the English sentence; the desk recognises and translates it.
 */
export const MAILBOX_PROBLEMS = {
  dns_unknown: 'DNS: no server is named {host}.',
  dns_private: 'DNS: {host} doesn’t have a public address.',
  port_refused: 'Port: {host} refuses connections on port {port}. Check the port and the firewall.',
  port_unreachable: 'Port: {host} can’t be reached on port {port}. Check the port and the firewall.',
  port_silent: 'Port: {host} doesn’t answer on port {port}. Check the port and the firewall.',
  port_greeting:
    'Port: {host} accepts connections on port {port}, but sends no {protocol} greeting. Check the port and the encryption.',
  tls: 'TLS: no encrypted connection to {host} on port {port} ({detail}). Check the port, the encryption and the server’s certificate.',
  sign_in_unset: 'Authorization: the operator of this installation hasn’t set a client ID for {provider}.',
  sign_in_client:
    'Authorization: {provider} doesn’t accept this installation’s client ID and secret ({detail}).',
  sign_in_missing: 'Authorization: nobody has signed in with {provider} for this mailbox yet.',
  sign_in_ended: 'Authorization: {provider} no longer accepts this sign-in. Sign in again.{answer}',
  sign_in_away: 'Authorization: {provider} gave no access token ({detail}).',
  token: 'Login: {host} doesn’t accept the sign-in with {provider} for {user}.{answer}',
  login: 'Login: {host} doesn’t accept the user name {user} with this password.{answer}',
  folder: 'Folder: {host} has no folder named {folder}.{answer}',
  quota: 'Quota: the mailbox is full.{answer}',
} as const;

type Problems = typeof MAILBOX_PROBLEMS;
export type MailboxProblem = keyof Problems;

/** The sentence for a problem. */
export const mailboxProblem = <K extends MailboxProblem>(
  problem: K,
  values: Readonly<Record<Gaps<Problems[K]>, string | number>>,
): string => sentenceWith(MAILBOX_PROBLEMS[problem], values);

/** The meaning of a sentence; undefined for any other, such as an error that only the library has words for. */
export const readMailboxProblem = readerOf(MAILBOX_PROBLEMS, {
  host: '\\S+',
  port: '\\d+',
  provider: '\\w+',
  protocol: '\\w+',
  detail: '.*',
  user: '.*?',
  folder: '.*?',
  answer: `(?:${SERVER_SAYS}.*)?`,
});

/**
 * The steps of a connection in their order. A mailbox with a password needs no authorization. A full mailbox is noticed
 * once the folder is open.
 */
export const CONNECTION_STEPS = ['authorization', 'dns', 'port', 'tls', 'login', 'folder'] as const;
export type ConnectionStep = (typeof CONNECTION_STEPS)[number];

const STEP_OF: Readonly<Record<MailboxProblem, ConnectionStep>> = {
  dns_unknown: 'dns',
  dns_private: 'dns',
  port_refused: 'port',
  port_unreachable: 'port',
  port_silent: 'port',
  port_greeting: 'port',
  tls: 'tls',
  sign_in_unset: 'authorization',
  sign_in_client: 'authorization',
  sign_in_missing: 'authorization',
  sign_in_ended: 'authorization',
  sign_in_away: 'authorization',
  token: 'login',
  login: 'login',
  folder: 'folder',
  quota: 'folder',
};

/** The step that a problem's sentence is about; undefined if it names none. */
export function failedStep(sentence: string): ConnectionStep | undefined {
  const read = readMailboxProblem(sentence);
  return read && STEP_OF[read.reason];
}
