import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { guardedConnect } from '../../mail/site-mailer.ts';
import { openImap } from '../routes/imap/client.ts';
import { connectionProblem } from '../routes/imap/problems.ts';
import { getMailboxRow, type MailboxRow } from './mailboxes.ts';

type Input = ParsedInputOf<'mailboxes.test'>;
type Result = OutputOf<'mailboxes.test'>['results'][number];

const TIMEOUT_MS = 20_000;
/** No message is fetched. */
const NOTHING_BYTES = 1024;

/** The stored password, only for the server and user that it was entered for. */
function stored(
  ctx: SiteContext,
  given: { host: string; port: number; user: string | null; password?: string | undefined },
  kept: { host: string | null; port: number | null; user: string | null; cipher: Buffer | null },
): string | undefined {
  if (given.password !== undefined) return given.password;
  const isSame = kept.host === given.host && kept.port === given.port && kept.user === given.user;
  if (kept.cipher && !isSame)
    throw new AppError('conflict', 'The server or user has changed. Enter the password again.', {
      reason: 'password_again',
    });
  return kept.cipher ? ctx.services.vault.open(kept.cipher) : undefined;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
    TIMEOUT_MS,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

async function tryImap(
  ctx: SiteContext,
  imap: NonNullable<Input['imap']>,
  password: string,
): Promise<Result> {
  const { host, port, security, user, folder } = imap;
  try {
    await inTime(
      openImap({ host, port, security, user, password, folder }, ctx.services.webhooks, NOTHING_BYTES).then(
        async (client) => {
          try {
            await client.mailboxOpen(folder, { readOnly: true });
          } finally {
            await client.logout().catch(() => client.close());
          }
        },
      ),
    );
    return { protocol: 'imap', ok: true, problem: null };
  } catch (error) {
    const problem = connectionProblem(error, { host, port, user, folder, protocol: 'IMAP' });
    return { protocol: 'imap', ok: false, problem };
  }
}

async function trySmtp(
  ctx: SiteContext,
  { host, port, security, user }: NonNullable<Input['smtp']>,
  password: string | undefined,
): Promise<Result> {
  const { createTransport } = await import('nodemailer');
  const connect = guardedConnect(ctx.services.webhooks);
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    getSocket: (_options: unknown, done: (error: Error | null, socket?: object) => void) =>
      void connect(host, port).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      ),
  });
  try {
    await inTime(transport.verify());
    return { protocol: 'smtp', ok: true, problem: null };
  } catch (error) {
    return {
      protocol: 'smtp',
      ok: false,
      problem: connectionProblem(error, { host, port, user, protocol: 'SMTP' }),
    };
  } finally {
    transport.close();
  }
}

const NOTHING_STORED = { host: null, port: null, user: null, cipher: null };

const imapKept = (row: MailboxRow | undefined) =>
  row
    ? {
        host: row.imap_host,
        port: row.imap_port,
        user: row.imap_username,
        cipher: row.imap_password_cipher,
      }
    : NOTHING_STORED;
const smtpKept = (row: MailboxRow | undefined) =>
  row
    ? {
        host: row.smtp_host,
        port: row.smtp_port,
        user: row.smtp_username,
        cipher: row.smtp_password_cipher,
      }
    : NOTHING_STORED;

/** The servers of the stored mailbox, where the caller names none. */
const storedServers = (row: MailboxRow): Pick<Input, 'imap' | 'smtp'> => ({
  imap:
    row.imap_host === null
      ? undefined
      : {
          host: row.imap_host,
          port: row.imap_port ?? 993,
          security: row.imap_security ?? 'tls',
          user: row.imap_username ?? '',
          folder: row.imap_folder,
          days: row.imap_days,
        },
  smtp:
    row.smtp_host === null
      ? undefined
      : {
          host: row.smtp_host,
          port: row.smtp_port ?? 587,
          security: row.smtp_security ?? 'starttls',
          user: row.smtp_username,
        },
});

/**
 * Signs in to the servers given, or to those of the stored mailbox. Names the exact problem of each.
 * @throws AppError 404, 409 if a stored password would go to another server
 */
export async function testMailbox(ctx: SiteContext, input: Input): Promise<OutputOf<'mailboxes.test'>> {
  const row = input.id === undefined ? undefined : await getMailboxRow(ctx, input.id);
  const { imap, smtp } = input.imap || input.smtp || !row ? input : storedServers(row);
  const imapPassword = imap && stored(ctx, imap, imapKept(row));
  const smtpPassword = smtp && stored(ctx, smtp, smtpKept(row));
  const results = await Promise.all([
    ...(imap ? [tryImap(ctx, imap, imapPassword ?? '')] : []),
    ...(smtp ? [trySmtp(ctx, smtp, smtpPassword)] : []),
  ]);
  return { results };
}
