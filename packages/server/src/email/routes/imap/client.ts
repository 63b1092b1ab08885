import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import {
  AddressRefused,
  type GuardOptions,
  guardedLookup,
  isPublicAddress,
} from '../../../net/address-guard.ts';

/** An account on an IMAP server. */
export interface ImapSettings {
  host: string;
  port: number;
  security: 'starttls' | 'tls';
  user: string;
  /** Instead of a password. */
  accessToken?: string | undefined;
  password?: string | undefined;
  folder: string;
}

const CONNECT_MS = 15_000;
/** Longer than an IDLE lasts before it is renewed. */
const SOCKET_MS = 32 * 60_000;
/** A line without a literal, such as the answer to a search. */
const LINE_MAX_BYTES = 16 * 1024 * 1024;
const LOOPBACK = /^(127\.|::1$)/;

/** The address to connect to, which the guard has checked. @throws AddressRefused, and DNS errors */
async function checkedAddress(host: string, guard: GuardOptions): Promise<string> {
  if (isIP(host) !== 0) {
    if (!guard.allowPrivate && !isPublicAddress(host)) throw new AddressRefused();
    return host;
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  guardedLookup(guard)(host, {}, (error, address) => {
    if (error || typeof address !== 'string') reject(error ?? new AddressRefused());
    else resolve(address);
  });
  return promise;
}

/**
 * Signs in. The name is resolved and checked here, and the connection uses that very address. Passwords are only sent
 * encrypted, except where the operator allows private addresses.
 * @param maxBytes of one message
 */
export async function openImap(
  settings: ImapSettings,
  guard: GuardOptions,
  maxBytes: number,
): Promise<ImapFlow> {
  const address = await checkedAddress(settings.host, guard);
  // Loaded by the first mailbox that needs it.
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow({
    host: address,
    port: settings.port,
    secure: settings.security === 'tls',
    ...(isIP(settings.host) === 0 && { servername: settings.host }),
    ...(settings.security === 'starttls' && !guard.allowPrivate && { doSTARTTLS: true }),
    // A bridge on the same machine has a self-signed certificate.
    tls: { rejectUnauthorized: !LOOPBACK.test(address) },
    auth: {
      user: settings.user,
      ...(settings.accessToken === undefined
        ? { pass: settings.password ?? '' }
        : { accessToken: settings.accessToken }),
    },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    maxLineLength: LINE_MAX_BYTES,
    maxLiteralSize: maxBytes + LINE_MAX_BYTES,
    maxResponseSize: maxBytes + 2 * LINE_MAX_BYTES,
  });
  // Without a listener an error after the sign-in would end the process. The command that runs then fails with it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
