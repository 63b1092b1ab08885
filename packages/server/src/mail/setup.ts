import type { MailSetup, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { domainOf } from '../base/email-address.ts';
import { AppError } from '../base/errors.ts';
import { html } from '../base/html.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import type { DomainEvent } from '../core/domain-event.ts';
import { deskSpeechOf } from '../i18n/desk-phrases.ts';
import { deskLanguageOf } from '../sites/agents/desk-language.ts';
import { listMailFailures } from './failures.ts';
import { passwordCipher } from './kept-password.ts';
import { findMailer, findMailRow, type MailRow } from './site-mailer.ts';

/** Shorter than a browser's timeout. */
const TEST_MS = 20_000;
/** Enough to try out settings, too few to abuse a mail server. */
const TESTS_A_DAY = 20;
const ERROR_MAX = 500;

/** The DNS records for this server. Only the mail server knows the DKIM keys. */
function recordsOf(from: MailSetup['from'], host: string | undefined): MailSetup['records'] {
  if (!from || host === undefined) return [];
  const domain = domainOf(from.address);
  return [
    { kind: 'spf', name: domain, value: `v=spf1 a:${host} ~all` },
    { kind: 'dkim', name: `selector._domainkey.${domain}`, value: null },
    { kind: 'dmarc', name: `_dmarc.${domain}`, value: `v=DMARC1; p=none; rua=mailto:${from.address}` },
  ];
}

const siteServer = (row: MailRow): NonNullable<MailSetup['server']> => ({
  host: row.host,
  port: row.port,
  security: row.security,
  user: row.username,
  has_password: row.password_cipher !== null,
});

/** How the site sends email. Never contains a password. */
export async function getMailSetup(ctx: SiteContext): Promise<MailSetup> {
  const row = await findMailRow(ctx);
  const settings = ctx.services.mailer?.settings;
  const failures = await listMailFailures(ctx);
  if (settings) {
    const from = { name: settings.from.name ?? null, address: settings.from.address };
    const server = {
      host: settings.host,
      port: settings.port,
      security: settings.secure ? 'tls' : 'starttls',
      // The operator's account doesn't concern the site.
      user: null,
      has_password: settings.password !== undefined,
    } as const;
    return { source: 'environment', server, from, records: recordsOf(from, settings.host), failures };
  }
  if (!row) return { source: null, server: null, from: null, records: [], failures };
  const from = { name: row.from_name, address: row.from_address };
  return { source: 'site', server: siteServer(row), from, records: recordsOf(from, row.host), failures };
}

/** Open tickets show whether their next reply is emailed, and widgets whether an answer can come by email. */
const ASK_AGAIN: DomainEvent = { notices: [{ kind: 'lists' }, { kind: 'site' }], counts: false };

function refuseBeside(ctx: SiteContext): void {
  if (ctx.services.mailer)
    throw new AppError('conflict', 'SMTP_URL is set on the server and takes precedence. Change it there.');
}

/**
 * Stores the site's own mail server with an encrypted password. An omitted password is kept, but only for the same
 * server: otherwise it could be sent to another one.
 * @throws AppError 409 if SMTP_URL is set, and for a kept password of another server
 */
export async function setMailServer(
  ctx: SiteContext,
  { host, port, security, user, password, from_name, from_address }: ParsedInputOf<'mail.set'>,
): Promise<MailSetup> {
  refuseBeside(ctx);
  return ctx.transaction(async (tx) => {
    const before = await findMailRow(tx);
    const stored = before && {
      host: before.host,
      port: before.port,
      user: before.username,
      cipher: before.password_cipher,
    };
    const sealed = passwordCipher(tx, { host, port, user, password }, stored);
    await sql`
      insert into mail_settings (site_id, host, port, security, username, password_cipher, from_name, from_address, updated_at)
      values (${tx.site.id}, ${host}, ${port}, ${security}, ${user}, ${sealed}, ${from_name}, ${from_address}, ${tx.now()})
      on conflict (site_id) do update set host = excluded.host, port = excluded.port, security = excluded.security,
        username = excluded.username, password_cipher = excluded.password_cipher, from_name = excluded.from_name,
        from_address = excluded.from_address, updated_at = excluded.updated_at`.execute(tx.db);
    await tx.emit(ASK_AGAIN);
    return getMailSetup(tx);
  });
}

/** Removes the site's mail server; the site then sends no mail. @throws AppError 409 if SMTP_URL is set */
export async function clearMailServer(ctx: SiteContext): Promise<MailSetup> {
  refuseBeside(ctx);
  return ctx.transaction(async (tx) => {
    await sql`delete from mail_settings where site_id = ${tx.site.id}`.execute(tx.db);
    await tx.emit(ASK_AGAIN);
    return getMailSetup(tx);
  });
}

async function ownAddress({ db, site }: SiteContext, agentId: number) {
  return db
    .selectFrom('agents as a')
    .innerJoin('auth_users as u', 'u.id', 'a.user_id')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .select(['u.email', 'a.name', 's.name as site'])
    .where('a.site_id', '=', site.id)
    .where('a.id', '=', agentId)
    .executeTakeFirstOrThrow();
}

const inTime = (sending: Promise<unknown>): Promise<unknown> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The server took too long to answer.')), TEST_MS);
  return Promise.race([sending, promise]).finally(() => clearTimeout(timer));
};

/** Counts a test mail. The row lock makes concurrent calls count one after another. @throws AppError 429 */
async function takeTest(ctx: SiteContext, agentId: number): Promise<void> {
  const today = sql`${ctx.now().toISOString().slice(0, 10)}::date`;
  const { rows } = await sql`
    update agents set test_mails = case when test_mails_on = ${today} then test_mails + 1 else 1 end, test_mails_on = ${today}
    where site_id = ${ctx.site.id} and id = ${agentId}
      and (test_mails_on is distinct from ${today} or test_mails < ${TESTS_A_DAY})
    returning id`.execute(ctx.db);
  if (rows.length === 0)
    throw new AppError('rate_limited', `You’ve sent ${TESTS_A_DAY} test emails today. Try again tomorrow.`, {
      reason: 'test_mails_spent',
      values: { count: TESTS_A_DAY },
    });
}

/**
 * Sends a test mail to the caller in their desk's language. The result contains the mail server's error.
 * @throws AppError 429
 */
export async function sendTestMail(ctx: SiteContext): Promise<OutputOf<'mail.test'>> {
  const mailer = await findMailer(ctx);
  const { agentId } = agentActor(ctx);
  const { email, name, site } = await ownAddress(ctx, agentId);
  if (!mailer) return { to: email, sent: false, error: 'No mail server is set up.' };
  await takeTest(ctx, agentId);
  const { say } = deskSpeechOf(await deskLanguageOf(ctx, agentId));
  const subject = say('mail_test_subject', { site });
  const said = say('mail_test');
  const id = `test-${ctx.site.id}-${ctx.now().getTime()}`;
  const to = { name, address: email };
  const headers = { 'Auto-Submitted': 'auto-generated' };
  try {
    await inTime(
      mailer.send({
        to,
        fromName: site,
        subject,
        text: `${said}\n`,
        html: html`<p>${said}</p>`.toString(),
        id,
        thread: [id],
        headers,
      }),
    );
    return { to: email, sent: true, error: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { to: email, sent: false, error: message.slice(0, ERROR_MAX) };
  }
}
