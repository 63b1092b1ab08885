import type { MailboxRecord, OutputOf, ParsedInputOf, TeamRef } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound, tooMany } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { idPage } from '../../db/keyset.ts';
import { readSenders } from '../../mail/mailboxes/mailboxes.ts';
import { findSignIn, readSignIns, type SignInRow, setSignIn } from '../../mail/oauth/sign-ins.ts';
import { assignableAgent } from '../../sites/agents/assignable.ts';
import { lockSite } from '../../sites/sites.ts';
import { holdTeam } from '../../sites/teams/assignable.ts';
import { settleFailing } from './notices.ts';
import {
  imapColumns,
  imapOf,
  type MailboxRow,
  type MailSignIn,
  misfit,
  NO_SMTP,
  smtpColumns,
  smtpOf,
} from './servers.ts';

/** Each may hold a connection open. */
export const MAX_MAILBOXES = 200;

type Create = ParsedInputOf<'mailboxes.create'>;
type Update = ParsedInputOf<'mailboxes.update'>;

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

/** The URL to which a mail service posts. Only the hash of its token is stored. */
const inboundUrl = ({ services }: SiteContext, token: string): string =>
  `${services.address.url}/inbound/email/${token}`;

const httpOf = (row: MailboxRow): MailboxRecord['http'] =>
  row.incoming === 'http' ? { has_secret: row.http_secret_cipher !== null, url: null } : null;

interface Beside {
  assignee: MailboxRecord['assignee'];
  team: MailboxRecord['team'];
  replies_from: string | null;
  signIn: SignInRow | undefined;
}

const presentMailbox = (
  row: MailboxRow,
  { assignee, team, replies_from, signIn }: Beside,
): MailboxRecord => ({
  id: row.id,
  address: row.address,
  name: row.name,
  signature: row.signature,
  assignee,
  team,
  enabled: row.is_enabled,
  route: row.incoming,
  sign_in: signIn?.provider ?? 'password',
  signed_in_utc: signIn?.ended_at ? null : (signIn?.signed_in_at?.toISOString() ?? null),
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

/** Records that rows refer to, by their ids. */
async function referredTo<R extends { id: number }>(
  ids: readonly (number | null)[],
  read: (ids: readonly number[]) => Promise<R[]>,
): Promise<Map<number, R>> {
  const given = ids.filter((id) => id !== null);
  const records = given.length === 0 ? [] : await read(given);
  return new Map(records.map((record) => [record.id, record]));
}

async function presentAll(ctx: SiteContext, rows: readonly MailboxRow[]): Promise<MailboxRecord[]> {
  const { db, site } = ctx;
  const agents = await referredTo(
    rows.map((row) => row.assignee_id),
    (ids) =>
      db
        .selectFrom('agents')
        .select(['id', 'name'])
        .where('site_id', '=', site.id)
        .where('id', 'in', ids)
        .execute(),
  );
  const teams = await referredTo<TeamRef>(
    rows.map((row) => row.team_id),
    (ids) =>
      db
        .selectFrom('teams')
        .select(['id', 'name', 'emoji'])
        .where('site_id', '=', site.id)
        .where('id', 'in', ids)
        .execute(),
  );
  const senderOf = await readSenders(ctx);
  const signIns = await readSignIns(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    presentMailbox(row, {
      assignee: agents.get(row.assignee_id ?? 0) ?? null,
      team: teams.get(row.team_id ?? 0) ?? null,
      replies_from: senderOf(row) ?? null,
      signIn: signIns.get(row.id),
    }),
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
  if (input.id !== undefined) return readMailbox(ctx, input.id);
  const all = ctx.db.selectFrom('mailboxes').selectAll().where('site_id', '=', ctx.site.id);
  const page = await idPage(all, input, (row) => row);
  return { ...page, items: await presentAll(ctx, page.items) };
}

const secretColumn = ({ services }: SiteContext, secret: string | null | undefined) =>
  secret === undefined ? {} : { http_secret_cipher: secret === null ? null : services.vault.seal(secret) };

/** Settings of another route than the mailbox's would never be used. @throws AppError 400 */
function requireRoute(
  route: MailboxRow['incoming'],
  given: { imap?: unknown; http?: unknown; sign_in?: MailSignIn | undefined },
  isNew: boolean,
): void {
  if (isNew && route === 'imap' && !given.imap) throw misfit('imap', 'is required for the route imap');
  for (const name of ['imap', 'http'] as const)
    if (given[name] !== undefined && route !== name)
      throw misfit(name, `is for mailboxes of the route ${name}`);
  if (route !== 'imap' && (given.sign_in ?? 'password') !== 'password')
    throw misfit('sign_in', 'is for mailboxes of the route imap');
}

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
 * The process that handles the mailbox fetches its mail within seconds.
 * @throws AppError 404 for an unknown assignee or team, 409 for an address that is taken
 */
export async function createMailbox(ctx: SiteContext, input: Create): Promise<OutputOf<'mailboxes.create'>> {
  const { route, imap, smtp, http, sign_in = 'password' } = input;
  requireRoute(route, input, true);
  if (input.assignee_id) await assignableAgent(ctx, input.assignee_id);
  const token = route === 'http' ? newSecret() : undefined;
  return ctx.transaction(async (tx) => {
    await requireRoom(tx);
    if (input.team_id) await holdTeam(tx, input.team_id);
    const now = tx.now();
    const row = await mailboxes.insert(tx, {
      address: input.address.toLowerCase(),
      name: input.name ?? null,
      signature: input.signature ?? null,
      assignee_id: input.assignee_id ?? null,
      team_id: input.team_id ?? null,
      is_enabled: input.enabled ?? true,
      // The SMTP server here accepts them, and mail services accept every address of a domain.
      has_plus_addresses: input.has_plus_addresses ?? route !== 'imap',
      incoming: route,
      ...(imap && imapColumns(tx, imap, sign_in)),
      ...(smtp && smtpColumns(tx, smtp, sign_in)),
      ...(token !== undefined && { http_token_hash: hashSecret(token) }),
      ...secretColumn(tx, http?.secret),
      created_at: now,
      updated_at: now,
    });
    await setSignIn(tx, row.id, sign_in);
    return presentOne(tx, row, token);
  });
}

/** A mailbox as its record shows it. @throws AppError 404 */
export const readMailbox = async (ctx: SiteContext, id: number): Promise<MailboxRecord> =>
  presentOne(ctx, await mailboxes.get(ctx, id));

/** Resets its connection and its problem, in the caller's transaction. */
export async function reconnectMailbox(tx: SiteContext, id: number): Promise<void> {
  await mailboxes.update(tx, id, HEALTHY, { updated_at: tx.now() });
  await settleFailing(tx);
}

/**
 * The process that fetches the mail notices the change by `updated_at`. With a new server it starts over, as on the
 * first connection.
 * @throws AppError 400, 404, 409
 */
export async function updateMailbox(ctx: SiteContext, input: Update): Promise<OutputOf<'mailboxes.update'>> {
  const { id, address, imap, smtp, http } = input;
  const token = http?.new_url ? newSecret() : undefined;
  if (input.assignee_id) await assignableAgent(ctx, input.assignee_id);
  return ctx.transaction(async (tx) => {
    const before = await mailboxes.lock(tx, id);
    requireRoute(before.incoming, input, false);
    if (input.team_id) await holdTeam(tx, input.team_id);
    const signedInBy = (await findSignIn(tx, id))?.provider ?? 'password';
    const { sign_in = signedInBy } = input;
    if (sign_in !== signedInBy && !imap) throw misfit('imap', 'is required where sign_in changes');
    const isReconnected = imap !== undefined || input.enabled !== undefined;
    const change = {
      address: address?.toLowerCase(),
      name: input.name,
      signature: input.signature,
      assignee_id: input.assignee_id,
      team_id: input.team_id,
      is_enabled: input.enabled,
      has_plus_addresses: input.has_plus_addresses,
      ...(imap && imapColumns(tx, imap, sign_in, before)),
      ...(smtp === null ? NO_SMTP : smtp && smtpColumns(tx, smtp, sign_in, before)),
      ...(token !== undefined && { http_token_hash: hashSecret(token) }),
      ...secretColumn(tx, http?.secret),
      ...(isReconnected && HEALTHY),
    };
    const row = await mailboxes.update(tx, id, change, { updated_at: tx.now() });
    if (sign_in !== signedInBy) await setSignIn(tx, id, sign_in);
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
