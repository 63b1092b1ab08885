import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import type { Logger } from 'pino';
import type {
  SMTPServer,
  SMTPServerAddress,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import { workFor } from '../../../base/loop/loop-time.ts';
import { createSemaphore } from '../../../base/semaphore.ts';
import { StartError } from '../../../base/start-error.ts';
import type { SiteContext } from '../../../core/context.ts';
import type { Db } from '../../../db/database.ts';
import { addressKey } from '../../../limits/address-key.ts';
import type { Limits } from '../../../limits/limits.ts';
import { MAIL_MAX_BYTES } from '../../../mime/limits.ts';
import { storeReceived } from '../../inbound/store.ts';
import { findSmtpMailbox, type RouteMailbox } from '../recipients.ts';
import { noteWorking } from '../state.ts';
import { type Certificate, type MailServerSettings, readCertificate } from './settings.ts';

export interface MailServerOptions {
  settings: MailServerSettings;
  db: Db;
  log: Logger;
  limits: Limits;
  contextFor(siteId: number): Promise<SiteContext | undefined>;
}

export interface MailServer {
  readonly port: number;
  /** Stops accepting, and waits for the mails that are being received. */
  stop(): Promise<void>;
}

const CLIENTS_MAX = 200;
/** RFC 5321, 4.5.3.1.8. */
const RECIPIENTS_MAX = 100;
/** Whole messages in memory. */
const MESSAGES_AT_ONCE = 4;
const SOCKET_TIMEOUT_MS = 2 * MINUTE_MS;
const CLOSE_TIMEOUT_MS = 10_000;
/** Certificates are renewed some weeks before they end. */
const CERTIFICATE_CHECK_MS = 10 * MINUTE_MS;

/** A reply to the client: 4xx asks it to try again later, 5xx returns the mail to its sender. */
class Reply extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

const TRY_LATER = 'Temporarily unavailable, please try again later';

/** The recipients of a session, with their mailboxes. */
type Recipients = Map<string, RouteMailbox>;

/** The server's callbacks for each command. Errors other than `Reply` are ours: the client tries again. */
class Conversation {
  readonly #options: MailServerOptions;
  readonly #mails: ReturnType<Limits['ofLoad']>;
  readonly #unknown: ReturnType<Limits['ofLoad']>;
  readonly #messages = createSemaphore(MESSAGES_AT_ONCE);
  readonly #recipients = new WeakMap<SMTPServerSession['envelope'], Recipients>();

  constructor(options: MailServerOptions) {
    this.#options = options;
    this.#mails = options.limits.of('smtp mails');
    this.#unknown = options.limits.of('smtp unknown recipients');
  }

  async mailFrom({ remoteAddress }: SMTPServerSession): Promise<void> {
    const { allowed } = await this.#mails.take(addressKey(remoteAddress));
    if (!allowed) throw new Reply(450, 'Too many messages from your address, please try again later');
  }

  async rcptTo({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    if (session.envelope.rcptTo.length >= RECIPIENTS_MAX) throw new Reply(452, 'Too many recipients');
    const mailbox = await findSmtpMailbox(this.#options.db, address);
    if (!mailbox) {
      const { allowed } = await this.#unknown.take(addressKey(session.remoteAddress));
      throw allowed
        ? new Reply(550, `No mailbox here has the address ${address}`)
        : new Reply(450, 'Too many unknown recipients, please try again later');
    }
    const known = this.#recipients.get(session.envelope) ?? new Map<string, RouteMailbox>();
    this.#recipients.set(session.envelope, known.set(address, mailbox));
  }

  /** Answers once every mailbox has the mail: until then the client keeps it. */
  async data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    await this.#messages.run(async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk);
      if (stream.sizeExceeded) throw new Reply(552, `At most ${MAIL_MAX_BYTES} bytes are accepted`);
      const raw = Buffer.concat(chunks);
      for (const { mailbox, to } of this.#deliveries(session)) await this.#store(mailbox, to, raw, session);
    });
  }

  /** Each mailbox once, however many of its addresses the mail goes to. */
  #deliveries({ envelope }: SMTPServerSession): { mailbox: RouteMailbox; to: string[] }[] {
    const known = [...(this.#recipients.get(envelope) ?? [])].map(([to, mailbox]) => ({ to, mailbox }));
    const byMailbox = Map.groupBy(known, ({ mailbox }) => `${mailbox.siteId} ${mailbox.id}`);
    return [...byMailbox.values()].flatMap((same) =>
      same.slice(0, 1).map(({ mailbox }) => ({ mailbox, to: same.map(({ to }) => to) })),
    );
  }

  async #store(
    { siteId, id }: RouteMailbox,
    to: string[],
    raw: Buffer,
    { envelope, remoteAddress, hostNameAppearsAs }: SMTPServerSession,
  ): Promise<void> {
    const ctx = await this.#options.contextFor(siteId);
    if (!ctx) throw new Reply(450, TRY_LATER);
    await storeReceived(ctx, {
      mailboxId: id,
      route: 'smtp',
      source: null,
      raw,
      envelopeFrom: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      envelopeTo: to.join(', '),
      remoteAddress,
      helo: hostNameAppearsAs,
    });
    await noteWorking(ctx, id);
  }
}

/** Answers a command with the `Reply` that `work` throws; other errors are logged, and the client tries again. */
const answering =
  (log: Logger) =>
  (work: Promise<void>, done: (error?: Error | null) => void): void => {
    work.then(
      () => done(),
      (error: unknown) => {
        if (error instanceof Reply) return done(error);
        log.error({ err: error }, 'the mail server couldn’t answer a command');
        done(new Reply(451, TRY_LATER));
      },
    );
  };

function serverOptions(
  conversation: Conversation,
  { log, settings }: MailServerOptions,
  certificate: Certificate | undefined,
): SMTPServerOptions {
  const answer = answering(log);
  return {
    name: hostname(),
    banner: 'Foyer',
    authOptional: true,
    disabledCommands: ['AUTH', ...(settings.tls ? [] : ['STARTTLS'])],
    ...(certificate && { cert: certificate.cert, key: certificate.key }),
    size: MAIL_MAX_BYTES,
    maxClients: CLIENTS_MAX,
    socketTimeout: SOCKET_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    disableReverseLookup: true,
    logger: false,
    onMailFrom: (_address, session, done) => answer(conversation.mailFrom(session), done),
    onRcptTo: (address, session, done) => answer(conversation.rcptTo(address, session), done),
    onData: (stream, session, done) =>
      workFor('mail', () => answer(conversation.data(stream, session), done)),
  };
}

/** Loads a renewed certificate without a restart. @returns ends it */
function watchCertificate(
  server: SMTPServer,
  { settings: { tls }, log }: MailServerOptions,
  first: Certificate | undefined,
): () => void {
  if (!tls || !first) return () => undefined;
  let { writtenAt } = first;
  const check = async (): Promise<void> => {
    const next = await readCertificate(tls);
    if (next.writtenAt === writtenAt) return;
    server.updateSecureContext({ cert: next.cert, key: next.key });
    writtenAt = next.writtenAt;
    log.info('the mail server has a new certificate');
  };
  const timer = setInterval(
    () =>
      void check().catch((error) => log.error({ err: error }, 'the mail server’s certificate can’t be read')),
    CERTIFICATE_CHECK_MS,
  );
  timer.unref();
  return () => clearInterval(timer);
}

async function listen(server: SMTPServer, { port, host }: MailServerSettings): Promise<number> {
  const listener = server.listen(port, host);
  try {
    await once(listener, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const advice =
      code === 'EACCES' ? ' Ports below 1024 need a privilege: forward port 25 to a higher one.' : '';
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new StartError(`FOYER_MAIL_PORT=${port} can’t be used: ${reason}.${advice}`);
  }
  return (listener.address() as AddressInfo).port;
}

/**
 * Listens for mail to the mailboxes that receive it by SMTP: from the sender's server, if the domain's MX record names
 * this one, or forwarded. Sends nothing, and relays nothing.
 * @throws StartError if the port or the certificate can't be used
 */
export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const { log, settings } = options;
  const certificate = settings.tls && (await readCertificate(settings.tls));
  const { SMTPServer: Server } = await import('smtp-server');
  const server = new Server(serverOptions(new Conversation(options), options, certificate));
  const port = await listen(server, settings);
  // Errors of single connections: clients that break off, or don't speak SMTP.
  server.on('error', (error) => log.debug({ err: error }, 'a mail connection failed'));
  const unwatch = watchCertificate(server, options, certificate);
  return {
    port,
    async stop() {
      unwatch();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}
