import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { keptPassword } from '../../mail/kept-password.ts';
import { requiresTls } from '../../mail/mailboxes/mailboxes.ts';
import { verifyMailServer } from '../../mail/mailer.ts';
import { guardedConnect } from '../../mail/site-mailer.ts';
import { openImap } from '../routes/imap/client.ts';
import { connectionProblem } from '../routes/imap/problems.ts';
import { getMailboxRow, imapLogin, imapOf, type MailboxRow, smtpLogin, smtpOf } from './mailboxes.ts';

type Input = ParsedInputOf<'mailboxes.test'>;
type Result = OutputOf<'mailboxes.test'>['results'][number];

const TIMEOUT_MS = 20_000;
/** No message is fetched. */
const NOTHING_BYTES = 1024;

/** The given or stored password. @throws AppError 409 if a stored one would go to another server */
function passwordOf(
  { services }: SiteContext,
  given: NonNullable<Input['imap'] | Input['smtp']>,
  stored: Parameters<typeof keptPassword>[1],
): string | undefined {
  if (given.password !== undefined) return given.password;
  const cipher = keptPassword(given, stored);
  return cipher ? services.vault.open(cipher) : undefined;
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
  const { webhooks } = ctx.services;
  const server = {
    host,
    port,
    secure: security === 'tls',
    requireTls: requiresTls(security, webhooks),
    user: user ?? undefined,
    password,
  };
  try {
    await inTime(verifyMailServer(server, guardedConnect(webhooks)));
    return { protocol: 'smtp', ok: true, problem: null };
  } catch (error) {
    const problem = connectionProblem(error, { host, port, user, protocol: 'SMTP' });
    return { protocol: 'smtp', ok: false, problem };
  }
}

/** The servers of the stored mailbox, where the caller names none. */
const storedServers = (row: MailboxRow): Pick<Input, 'imap' | 'smtp'> => ({
  imap: imapOf(row) ?? undefined,
  smtp: smtpOf(row) ?? undefined,
});

/**
 * Signs in to the servers given, or to those of the stored mailbox. Names the exact problem of each.
 * @throws AppError 404, 409 if a stored password would go to another server
 */
export async function testMailbox(ctx: SiteContext, input: Input): Promise<OutputOf<'mailboxes.test'>> {
  const row = input.id === undefined ? undefined : await getMailboxRow(ctx, input.id);
  const { imap, smtp } = input.imap || input.smtp || !row ? input : storedServers(row);
  const imapPassword = imap && passwordOf(ctx, imap, row && imapLogin(row));
  const smtpPassword = smtp && passwordOf(ctx, smtp, row && smtpLogin(row));
  const results = await Promise.all([
    ...(imap ? [tryImap(ctx, imap, imapPassword ?? '')] : []),
    ...(smtp ? [trySmtp(ctx, smtp, smtpPassword)] : []),
  ]);
  return { results };
}
