import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { createCounter } from '../base/counters.ts';
import { domainOf } from '../base/email-address.ts';
import { inSpan } from '../base/spans.ts';
import type { MailSettings } from './settings.ts';

const attempts = createCounter('foyer_mails_total', 'Attempts to send an email, by result', ['result']);

interface Recipient {
  name: string | null;
  address: string;
}

/** A file in a mail. */
export interface MailFile {
  name: string;
  contentType: string;
  content: Buffer | Readable;
  /** The HTML shows it as `cid:…`; undefined: it is attached. */
  cid?: string;
}

/** One mail to one person, and the recipients of copies. */
export interface Mail {
  to: Recipient;
  cc?: readonly Recipient[];
  bcc?: readonly Recipient[];
  /** The address for answers, if not the sender. */
  replyTo?: string;
  /** The sender's name, unless FOYER_MAIL_FROM has one. */
  fromName: string;
  subject: string;
  text: string;
  html: string;
  /** The Message-ID. The same for every attempt. Without a domain it gets the sender's, as all of these do. */
  id: string;
  /** The mails of the thread, oldest first, by which mail programs group it; the last one is answered. */
  thread: readonly string[];
  files?: readonly MailFile[];
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  readonly settings: MailSettings;
  /** The same server with another sender. */
  sendingAs(from: MailSettings['from']): Mailer;
  /** @returns the server's answer. @throws MailRefused if the server will never accept it; any other error if it can be retried */
  send(mail: Mail): Promise<SentAnswer>;
}

/** A server's response when it accepted a mail. */
export interface SentAnswer {
  response: string;
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

/** The server alone, without a sender. */
type MailServer = Pick<
  MailSettings,
  'host' | 'port' | 'secure' | 'requireTls' | 'user' | 'password' | 'accessToken'
>;

/** One connection per mail: mails are few, and a server that was down needs no recovery. */
async function openTransport(
  { host, port, secure, requireTls = false, user, password, accessToken }: MailServer,
  connect: MailConnect | undefined,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(user === undefined
      ? {}
      : {
          auth:
            accessToken === undefined
              ? { user, pass: password ?? '' }
              : { type: 'OAuth2' as const, user, accessToken },
        }),
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

/** Signs in and sends nothing. @throws the server's error, or the network's */
export async function verifyMailServer(server: MailServer, connect: MailConnect): Promise<void> {
  const transport = await openTransport(server, connect);
  await transport.verify().finally(() => transport.close());
}

const recipient = ({ name, address }: Recipient) => ({ name: oneLine(name ?? ''), address });

/** The mail as nodemailer takes it. */
function messageOf(mail: Mail, from: MailSettings['from'], domain: string): SendMailOptions {
  const { cc = [], bcc = [], replyTo, files = [], thread, headers = {} } = mail;
  const whole = (id: string): string => `<${id.includes('@') ? id : `${id}@${domain}`}>`;
  const answered = thread.at(-1);
  return {
    from: { name: oneLine(from.name ?? mail.fromName), address: from.address },
    to: recipient(mail.to),
    cc: cc.map(recipient),
    bcc: bcc.map(recipient),
    ...(replyTo === undefined ? {} : { replyTo }),
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: whole(mail.id),
    ...(answered === undefined ? {} : { inReplyTo: whole(answered), references: thread.map(whole) }),
    attachments: files.map(({ name, contentType, content, cid }) => ({
      filename: oneLine(name),
      contentType,
      content,
      ...(cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }),
    })),
    headers: { ...headers },
  };
}

/** @param connect unset if the operator chose the server's address */
export function createMailer(settings: MailSettings, connect?: MailConnect): Mailer {
  const { from } = settings;
  const domain = domainOf(from.address);
  let opened: Promise<Transporter> | undefined;
  return {
    settings,
    sendingAs: (sender) => createMailer({ ...settings, from: sender }, connect),
    async send(mail) {
      // The first mail loads the library.
      opened ??= openTransport(settings, connect);
      const transport = await opened;
      try {
        const { response } = await inSpan('send mail', { kind: 'client' }, () =>
          transport.sendMail(messageOf(mail, from, domain)),
        );
        attempts.add(1, 'sent');
        return { response: String(response) };
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
