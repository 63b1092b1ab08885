import { readFile, stat } from 'node:fs/promises';
import { type Environment, wholeNumber } from '../../../base/environment.ts';
import { StartError } from '../../../base/start-error.ts';

/** The SMTP server that receives mail for mailboxes: FOYER_MAIL_PORT and the variables that go with it. */
export interface MailServerSettings {
  readonly port: number;
  readonly host: string;
  /** Files in PEM form; undefined: no TLS. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
}

/**
 * Undefined without FOYER_MAIL_PORT.
 * @throws StartError with one line that names the variable
 */
export function readMailServerSettings(env: Environment): MailServerSettings | undefined {
  const { FOYER_MAIL_PORT: port, FOYER_MAIL_HOST: host } = env;
  const { FOYER_MAIL_TLS_CERT: certFile, FOYER_MAIL_TLS_KEY: keyFile } = env;
  if (!certFile !== !keyFile)
    throw new StartError(
      'FOYER_MAIL_TLS_CERT and FOYER_MAIL_TLS_KEY are invalid without each other: set both',
    );
  if (!port) return undefined;
  return Object.freeze({
    port: wholeNumber(env, 'FOYER_MAIL_PORT', 0, 0, 65_535),
    host: host || '0.0.0.0',
    tls: certFile && keyFile ? Object.freeze({ certFile, keyFile }) : undefined,
  });
}

/** A certificate, and when its files were written. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
  writtenAt: number;
}

/** @throws StartError if a file can't be read */
export async function readCertificate({
  certFile,
  keyFile,
}: NonNullable<MailServerSettings['tls']>): Promise<Certificate> {
  try {
    const [cert, key, ...written] = await Promise.all([
      readFile(certFile),
      readFile(keyFile),
      stat(certFile),
      stat(keyFile),
    ]);
    return { cert, key, writtenAt: Math.max(...written.map(({ mtimeMs }) => mtimeMs)) };
  } catch (error) {
    throw new StartError(
      `FOYER_MAIL_TLS_CERT or FOYER_MAIL_TLS_KEY is invalid: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}
