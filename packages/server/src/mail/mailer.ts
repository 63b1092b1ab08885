import type { Socket } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { MailSettings } from './settings.ts';

/** One mail to one person. */
export interface Mail {
  to: { name: string | null; address: string };
  /** Stands before our address unless FOYER_MAIL_FROM has a name. */
  fromName: string;
  subject: string;
  text: string;
  html: string;
  /** Before the `@`; the domain is that of the sender's address. The same mail sent again has the same. */
  id: string;
  /** Of the first mail of the thread; mail programs put all that name it together. */
  threadId: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  readonly settings: MailSettings;
  /** @throws MailRefused when the server will never take it; anything else when it may be tried again */
  send(mail: Mail): Promise<void>;
}

/** The mail server took the connection, and refuses this mail or this address for good. */
export class MailRefused extends Error {
  constructor(cause: Error) {
    super(`the mail server refused it: ${cause.message}`, { cause });
    this.name = 'MailRefused';
  }
}

const CONNECT_MS = 10_000;
/** Below the time after which a job counts as stuck. */
const SOCKET_MS = 20_000;

/** RFC 5321: 5xx is for good. What is said before a mail, such as to a wrong password, is about us and may be mended. */
function isForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const { code, responseCode } = error;
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 550
  );
}

/** A line of text for a header: what would begin another one is a space. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Opens the connection to the server, where not every address may be connected to. */
type MailConnect = (host: string, port: number) => Promise<Socket>;

/** A connection for each mail: they are few, and a server that was away needs nothing to come back. */
async function openTransport(
  { host, port, secure, user, password }: MailSettings,
  connect: MailConnect | undefined,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(connect
      ? {
          getSocket: (
            _options: unknown,
            done: (error: Error | null, socket?: { connection: Socket }) => void,
          ) =>
            void connect(host, port).then(
              (connection) => done(null, { connection }),
              (error: Error) => done(error),
            ),
        }
      : {}),
  });
}

/** @param connect left out: the server's address is the operator's own choice. */
export function createMailer(settings: MailSettings, connect?: MailConnect): Mailer {
  const { from } = settings;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  let opened: Promise<Transporter> | undefined;
  return {
    settings,
    async send({ to, fromName, subject, text, html, id, threadId, headers = {} }) {
      const thread = `<${threadId}@${domain}>`;
      // The library is loaded by the first mail.
      opened ??= openTransport(settings, connect);
      const transport = await opened;
      try {
        await transport.sendMail({
          from: { name: oneLine(from.name ?? fromName), address: from.address },
          to: { name: oneLine(to.name ?? ''), address: to.address },
          subject: oneLine(subject),
          text,
          html,
          messageId: `<${id}@${domain}>`,
          inReplyTo: thread,
          references: [thread],
          headers: { ...headers },
        });
      } catch (error) {
        throw isForGood(error) ? new MailRefused(error) : error;
      }
    },
  };
}

declare module '../core/context.ts' {
  interface Services {
    /** Undefined without SMTP_URL: no email is sent. */
    readonly mailer: Mailer | undefined;
  }
}
