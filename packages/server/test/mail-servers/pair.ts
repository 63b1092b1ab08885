import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { scratchFolder } from '../scratch.ts';
import { type Dovecot, startDovecot } from './dovecot.ts';
import { authSocketOf, type Postfix, preparePostfix, startPostfix } from './postfix.ts';

/** Postfix with the mailboxes of Dovecot. */
export interface MailServers {
  dovecot: Dovecot;
  postfix: Postfix;
  /** The files of the certificate that both have, for localhost and 127.0.0.1. */
  certFile: string;
  keyFile: string;
  /** Delivers a mail as another mail server does. */
  post(mail: SendMailOptions): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** Accounts with their passwords. */
  users: Record<string, string>;
  /** Addresses that Postfix accepts and Dovecot doesn't know. */
  lost: readonly string[];
  relay: { domain: string; port: number };
}

/** Both servers of the machine with an own configuration, in a folder that goes with them. */
export async function startMailServers({ users, lost, relay }: Options): Promise<MailServers> {
  const folder = await scratchFolder('foyer-mail-');
  // Both servers work as users of their own.
  await chmod(folder, 0o755);
  const place = join(folder, 'postfix');
  await preparePostfix(place);
  const dovecot = await startDovecot(join(folder, 'dovecot'), users, authSocketOf(place));
  const { lmtpSocket } = dovecot;
  const addresses = [...Object.keys(users), ...lost];
  const postfix = await startPostfix({ folder: place, addresses, lmtpSocket, relay }).catch(async (error) => {
    await dovecot.kill();
    throw error;
  });
  const transport = createTransport({ host: '127.0.0.1', port: postfix.smtpPort, ignoreTLS: true });
  return {
    dovecot,
    postfix,
    certFile: join(place, 'cert.pem'),
    keyFile: join(place, 'key.pem'),
    post: async (mail) => void (await transport.sendMail(mail)),
    async close() {
      await postfix.close();
      await dovecot.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
