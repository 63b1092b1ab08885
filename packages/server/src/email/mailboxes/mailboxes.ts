import type { MailboxRecord, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { AppError, invalidInput, notFound, tooMany } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { idPage } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { passwordCipher, type StoredLogin } from '../../mail/kept-password.ts';
import { readSenders } from '../../mail/mailboxes/mailboxes.ts';
import { assignableAgent } from '../../sites/agents/assignable.ts';
import { lockSite } from '../../sites/sites.ts';
import { settleFailing } from './notices.ts';

/** Each may hold a connection open. */
export const MAX_MAILBOXES = 200;

export type MailboxRow = Selectable<Tables['mailboxes']>;
type Create = ParsedInputOf<'mailboxes.create'>;
type Update = ParsedInputOf<'mailboxes.update'>;
type Imap = NonNullable<Create['imap']>;
type Smtp = NonNullable<Create['smtp']>;

const mailboxes = new SiteRecords('mailboxes', 'mailbox', {
  conflict: () =>
    new AppError('conflict', 'A mailbox with this address already exists on this installation.', {
      reason: 'mailbox_taken',
    }),
  // Open tickets show whether their next reply is emailed.
  notice: { kind: 'lists' },
});

/** @throws AppError 404 */
export const getMailboxRow = (ctx: SiteContext, id: number): Promise<MailboxRow> => mailboxes.get(ctx, id);

/** The IMAP server as the record shows it. */
export const imapOf = (row: MailboxRow): MailboxRecord['imap'] =>
  row.imap_host === null
    ? null
    : {
        host: row.imap_host,
        port: row.imap_port ?? 993,
        security: row.imap_security ?? 'tls',
        user: row.imap_username ?? '',
        has_password: row.imap_password_cipher !== null,
        folder: row.imap_folder,
        days: row.imap_days,
      };

/** Its own server for replies, if it has one. */
export const smtpOf = (row: MailboxRow): MailboxRecord['smtp'] =>
  row.smtp_host === null
    ? null
    : {
        host: row.smtp_host,
        port: row.smtp_port ?? 587,
        security: row.smtp_security ?? 'starttls',
        user: row.smtp_username,
        has_password: row.smtp_password_cipher !== null,
      };

/** Where a mail service posts to. Only the hash of the token in it is stored. */
const inboundUrl = ({ services }: SiteContext, token: string): string =>
  `${services.address.url}/inbound/email/${token}`;

const httpOf = (row: MailboxRow): MailboxRecord['http'] =>
  row.incoming === 'http' ? { has_secret: row.http_secret_cipher !== null, url: null } : null;

const presentMailbox = (
  row: MailboxRow,
  assignee: MailboxRecord['assignee'],
  replies_from: string | null,
): MailboxRecord => ({
  id: row.id,
  address: row.address,
  name: row.name,
  signature: row.signature,
  assignee,
  enabled: row.is_enabled,
  route: row.incoming,
  imap: imapOf(row),
  smtp: smtpOf(row),
  http: httpOf(row),
  has_plus_addresses: row.has_plus_addresses,
  replies_from,
  checked_utc: row.checked_at?.toISOString() ?? null,
  failing_since_utc: row.failing_since?.toISOString() ?? null,
  problem: row.problem,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

async function presentAll(ctx: SiteContext, rows: readonly MailboxRow[]): Promise<MailboxRecord[]> {
  const ids = rows.flatMap(({ assignee_id }) => (assignee_id === null ? [] : [assignee_id]));
  const agents =
    ids.length === 0
      ? []
      : await ctx.db
          .selectFrom('agents')
          .select(['id', 'name'])
          .where('site_id', '=', ctx.site.id)
          .where('id', 'in', ids)
          .execute();
  const names = new Map(agents.map((agent) => [agent.id, agent]));
  const senderOf = await readSenders(ctx);
  return rows.map((row) =>
    presentMailbox(row, names.get(row.assignee_id ?? 0) ?? null, senderOf(row) ?? null),
  );
}

/** @param token of a new URL, which is shown this once */
async function presentOne(ctx: SiteContext, row: MailboxRow, token?: string): Promise<MailboxRecord> {
  const [one] = await presentAll(ctx, [row]);
  if (!one) throw notFound('mailbox');
  if (token === undefined || !one.http) return one;
  return { ...one, http: { ...one.http, url: inboundUrl(ctx, token) } };
}

/** With `input.id` that mailbox, or a 404; otherwise a page by id. Never contains secrets. */
export async function listMailboxes(
  ctx: SiteContext,
  input: ParsedInputOf<'mailboxes.list'>,
): Promise<OutputOf<'mailboxes.list'>> {
  if (input.id !== undefined) return presentOne(ctx, await mailboxes.get(ctx, input.id));
  const all = ctx.db.selectFrom('mailboxes').selectAll().where('site_id', '=', ctx.site.id);
  const page = await idPage(all, input, (row) => row);
  return { ...page, items: await presentAll(ctx, page.items) };
}

/** The stored sign-in at a mailbox's IMAP server. */
export const imapLogin = (row: MailboxRow): StoredLogin => ({
  host: row.imap_host,
  port: row.imap_port,
  user: row.imap_username,
  cipher: row.imap_password_cipher,
});

/** The stored sign-in at a mailbox's own server for replies. */
export const smtpLogin = (row: MailboxRow): StoredLogin => ({
  host: row.smtp_host,
  port: row.smtp_port,
  user: row.smtp_username,
  cipher: row.smtp_password_cipher,
});

function imapColumns(ctx: SiteContext, imap: Imap, before?: MailboxRow) {
  const isElsewhere =
    before?.imap_host !== imap.host ||
    before.imap_username !== imap.user ||
    before.imap_folder !== imap.folder;
  return {
    imap_host: imap.host,
    imap_port: imap.port,
    imap_security: imap.security,
    imap_username: imap.user,
    imap_password_cipher: passwordCipher(ctx, imap, before && imapLogin(before)),
    imap_folder: imap.folder,
    imap_days: imap.days,
    ...(isElsewhere && { imap_uid_validity: null, imap_last_uid: null }),
  };
}

function smtpColumns(ctx: SiteContext, smtp: Smtp, before?: MailboxRow) {
  return {
    smtp_host: smtp.host,
    smtp_port: smtp.port,
    smtp_security: smtp.security,
    smtp_username: smtp.user,
    smtp_password_cipher: passwordCipher(ctx, smtp, before && smtpLogin(before)),
  };
}

const secretColumn = ({ services }: SiteContext, secret: string | null | undefined) =>
  secret === undefined ? {} : { http_secret_cipher: secret === null ? null : services.vault.seal(secret) };

/** What belongs to another route than the mailbox's would never be used. @throws AppError 400 */
function requireRoute(
  route: MailboxRow['incoming'],
  given: { imap?: unknown; http?: unknown },
  isNew: boolean,
): void {
  const issue = (path: string, message: string): AppError =>
    invalidInput([{ path, message, reason: 'form' }]);
  if (isNew && route === 'imap' && !given.imap) throw issue('imap', 'is required for the route imap');
  for (const name of ['imap', 'http'] as const)
    if (given[name] !== undefined && route !== name)
      throw issue(name, `is for mailboxes of the route ${name}`);
}

const NO_SMTP = {
  smtp_host: null,
  smtp_port: null,
  smtp_security: null,
  smtp_username: null,
  smtp_password_cipher: null,
} as const;
const HEALTHY = { failing_since: null, problem: null, failing_noticed_at: null } as const;

async function requireRoom(ctx: SiteContext): Promise<void> {
  // Without the lock, concurrent calls could both take the last place.
  await lockSite(ctx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mailboxes where site_id = ${ctx.site.id}`.execute(ctx.db);
  if ((rows[0]?.count ?? 0) >= MAX_MAILBOXES)
    throw tooMany(MAX_MAILBOXES, `A site can have at most ${MAX_MAILBOXES} mailboxes.`);
}

/**
 * Its mail is fetched by the process that looks after it, within seconds.
 * @throws AppError 404 for an unknown assignee, 409 for an address that is taken
 */
export async function createMailbox(ctx: SiteContext, input: Create): Promise<OutputOf<'mailboxes.create'>> {
  const { route, imap, smtp, http } = input;
  requireRoute(route, input, true);
  if (input.assignee_id) await assignableAgent(ctx, input.assignee_id);
  const token = route === 'http' ? newSecret() : undefined;
  return ctx.transaction(async (tx) => {
    await requireRoom(tx);
    const now = tx.now();
    const row = await mailboxes.insert(tx, {
      address: input.address.toLowerCase(),
      name: input.name ?? null,
      signature: input.signature ?? null,
      assignee_id: input.assignee_id ?? null,
      is_enabled: input.enabled ?? true,
      // The SMTP server here takes them, and mail services take every address of a domain.
      has_plus_addresses: input.has_plus_addresses ?? route !== 'imap',
      incoming: route,
      ...(imap && imapColumns(tx, imap)),
      ...(smtp && smtpColumns(tx, smtp)),
      ...(token !== undefined && { http_token_hash: hashSecret(token) }),
      ...secretColumn(tx, http?.secret),
      created_at: now,
      updated_at: now,
    });
    return presentOne(tx, row, token);
  });
}

/**
 * Whoever fetches the mail notices the change by `updated_at`. A new server begins anew, as on the first connection.
 * @throws AppError 400, 404, 409
 */
export async function updateMailbox(ctx: SiteContext, input: Update): Promise<OutputOf<'mailboxes.update'>> {
  const { id, address, imap, smtp, http } = input;
  const token = http?.new_url ? newSecret() : undefined;
  if (input.assignee_id) await assignableAgent(ctx, input.assignee_id);
  return ctx.transaction(async (tx) => {
    const before = await mailboxes.lock(tx, id);
    requireRoute(before.incoming, input, false);
    const isReconnected = imap !== undefined || input.enabled !== undefined;
    const change = {
      address: address?.toLowerCase(),
      name: input.name,
      signature: input.signature,
      assignee_id: input.assignee_id,
      is_enabled: input.enabled,
      has_plus_addresses: input.has_plus_addresses,
      ...(imap && imapColumns(tx, imap, before)),
      ...(smtp === null ? NO_SMTP : smtp && smtpColumns(tx, smtp, before)),
      ...(token !== undefined && { http_token_hash: hashSecret(token) }),
      ...secretColumn(tx, http?.secret),
      ...(isReconnected && HEALTHY),
    };
    const row = await mailboxes.update(tx, id, change, { updated_at: tx.now() });
    if (isReconnected) await settleFailing(tx);
    return presentOne(tx, row, token);
  });
}

/** Also deletes its mail log. Its tickets stay. */
export const deleteMailbox = (
  ctx: SiteContext,
  { id }: ParsedInputOf<'mailboxes.delete'>,
): Promise<OutputOf<'mailboxes.delete'>> =>
  ctx.transaction(async (tx) => {
    const deleted = await mailboxes.delete(tx, id);
    await settleFailing(tx);
    return deleted;
  });
