import type { Socket } from 'node:net';
import type { Transporter } from 'nodemailer';
import { createCounter } from '../base/counters.ts';
import { inSpan } from '../base/spans.ts';
import type { MailSettings } from './settings.ts';

const attempts = createCounter('foyer_mails_total', 'Attempts to send an email, by result', ['result']);

/** One mail to one person. */
export interface Mail {
  to: { name: string | null; address: string };
  /** The sender's name, unless FOYER_MAIL_FROM has one. */
  fromName: string;
  subject: string;
  text: string;
  html: string;
  /** The part of the Message-ID before the `@`; the domain is that of the sender. The same for every attempt. */
  id: string;
  /** The first mail of the thread, by which mail programs group it. */
  threadId: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  readonly settings: MailSettings;
  /** @throws MailRefused if the server will never accept it; any other error if it can be retried */
  send(mail: Mail): Promise<void>;
}

/** The mail server accepted the connection but refuses this mail or address permanently. */
export class MailRefused extends Error {
  constructor(cause: Error) {
    super(`the mail server refused it: ${cause.message}`, { cause });
    this.name = 'MailRefused';
  }
}

const CONNECT_MS = 10_000;
/** Shorter than the time after which a job counts as stuck. */
const SOCKET_MS = 20_000;

/**
 * RFC 5321: 5xx is permanent. An error before the mail itself, such as a wrong password, concerns our settings and
 * can be fixed.
 */
function isForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const { code, responseCode } = error;
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 550
  );
}

/** Text for a header: line breaks become spaces, so it can't begin another header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Connects to the server; some addresses may be refused. */
type MailConnect = (host: string, port: number) => Promise<Socket>;

/** One connection per mail: mails are few, and a server that was down needs no recovery. */
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

/** @param connect unset if the operator chose the server's address */
export function createMailer(settings: MailSettings, connect?: MailConnect): Mailer {
  const { from } = settings;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  let opened: Promise<Transporter> | undefined;
  return {
    settings,
    async send({ to, fromName, subject, text, html, id, threadId, headers = {} }) {
      const thread = `<${threadId}@${domain}>`;
      // The first mail loads the library.
      opened ??= openTransport(settings, connect);
      const transport = await opened;
      try {
        await inSpan('send mail', { kind: 'client' }, () =>
          transport.sendMail({
            from: { name: oneLine(from.name ?? fromName), address: from.address },
            to: { name: oneLine(to.name ?? ''), address: to.address },
            subject: oneLine(subject),
            text,
            html,
            messageId: `<${id}@${domain}>`,
            inReplyTo: thread,
            references: [thread],
            headers: { ...headers },
          }),
        );
        attempts.add(1, 'sent');
      } catch (error) {
        attempts.add(1, isForGood(error) ? 'refused' : 'failed');
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
