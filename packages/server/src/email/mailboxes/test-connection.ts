import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { keptPassword, type StoredLogin } from '../../mail/kept-password.ts';
import { requiresTls } from '../../mail/mailboxes/mailboxes.ts';
import { verifyMailServer } from '../../mail/mailer.ts';
import { withAccessToken } from '../../mail/oauth/access-token.ts';
import { findSignIn, usesToken } from '../../mail/oauth/sign-ins.ts';
import { guardedConnect } from '../../mail/site-mailer.ts';
import { openImap } from '../routes/imap/client.ts';
import { connectionProblem } from '../routes/imap/problems.ts';
import { getMailboxRow } from './mailboxes.ts';
import { imapLogin, imapOf, type MailboxRow, serverOf, smtpLogin, smtpOf } from './servers.ts';

type Input = ParsedInputOf<'mailboxes.test'>;
type Result = OutputOf<'mailboxes.test'>['results'][number];

/** Where to sign in, and as whom. */
interface Server {
  host: string;
  port: number;
  security: 'starttls' | 'tls';
  user: string | null;
}

const TIMEOUT_MS = 20_000;
/** No message is fetched. */
const NOTHING_BYTES = 1024;

/** The given or stored password. @throws AppError 409 if a stored one would go to another server */
function passwordOf(
  { services }: SiteContext,
  given: Server & { password?: string | undefined },
  stored: StoredLogin | undefined,
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

/** A password, or the provider that the stored mailbox is signed in with. */
type Access = { password: string | undefined } | { mailboxId: number; provider: string };

/** The credentials to sign in with. */
const withAccess = <T>(
  ctx: SiteContext,
  access: Access,
  work: (login: { password?: string | undefined; accessToken?: string }) => Promise<T>,
): Promise<T> =>
  'password' in access
    ? work(access)
    : withAccessToken(ctx, access.mailboxId, (accessToken) => work({ accessToken }));

const providerOf = (access: Access): string | undefined =>
  'provider' in access ? access.provider : undefined;

async function tryImap(ctx: SiteContext, imap: Server & { folder: string }, access: Access): Promise<Result> {
  const { host, port, security, user, folder } = imap;
  const server = { host, port, security, user: user ?? '', folder };
  const open = async (login: { password?: string | undefined; accessToken?: string }): Promise<void> => {
    const client = await openImap({ ...server, ...login }, ctx.services.webhooks, NOTHING_BYTES);
    try {
      await client.mailboxOpen(folder, { readOnly: true });
    } finally {
      await client.logout().catch(() => client.close());
    }
  };
  try {
    await inTime(withAccess(ctx, access, open));
    return { protocol: 'imap', ok: true, problem: null };
  } catch (error) {
    const tried = { host, port, user, folder, provider: providerOf(access), protocol: 'IMAP' } as const;
    return { protocol: 'imap', ok: false, problem: connectionProblem(error, tried) };
  }
}

async function trySmtp(
  ctx: SiteContext,
  { host, port, security, user }: Server,
  access: Access,
): Promise<Result> {
  const { webhooks } = ctx.services;
  const server = {
    host,
    port,
    secure: security === 'tls',
    requireTls: requiresTls(security, webhooks),
    user: user ?? undefined,
    password: undefined,
  };
  try {
    await inTime(
      withAccess(ctx, access, (login) => verifyMailServer({ ...server, ...login }, guardedConnect(webhooks))),
    );
    return { protocol: 'smtp', ok: true, problem: null };
  } catch (error) {
    const tried = { host, port, user, provider: providerOf(access), protocol: 'SMTP' } as const;
    return { protocol: 'smtp', ok: false, problem: connectionProblem(error, tried) };
  }
}

/** The servers of the stored mailbox, where the caller gives none. */
const storedServers = (row: MailboxRow): Pick<Input, 'imap' | 'smtp'> => ({
  imap: imapOf(row) ?? undefined,
  smtp: smtpOf(row) ?? undefined,
});

/**
 * Signs in to the given servers, or to those of the stored mailbox. Names the exact problem of each.
 * @throws AppError 404, 409 if a stored password would be sent to another server
 */
export async function testMailbox(ctx: SiteContext, input: Input): Promise<OutputOf<'mailboxes.test'>> {
  const row = input.id === undefined ? undefined : await getMailboxRow(ctx, input.id);
  const signIn = row && (await findSignIn(ctx, row.id));
  const signedInBy = signIn?.provider ?? 'password';
  const { imap, smtp } = input.imap || input.smtp || !row ? input : storedServers(row);
  const imapServer = imap && serverOf(ctx, 'imap', imap, signedInBy);
  const smtpServer = smtp && serverOf(ctx, 'smtp', smtp, signedInBy);
  const accessOf = (
    kind: 'imap' | 'smtp',
    server: Server & { password?: string | undefined },
    stored: StoredLogin | undefined,
  ): Access => {
    if (!row || !usesToken(ctx, signIn, kind, { host: server.host, cipher: null }))
      return { password: passwordOf(ctx, server, stored) };
    return { mailboxId: row.id, provider: ctx.services.mailProviders[signIn.provider].name };
  };
  const results = await Promise.all([
    ...(imapServer ? [tryImap(ctx, imapServer, accessOf('imap', imapServer, row && imapLogin(row)))] : []),
    ...(smtpServer ? [trySmtp(ctx, smtpServer, accessOf('smtp', smtpServer, row && smtpLogin(row)))] : []),
  ]);
  return { results };
}
