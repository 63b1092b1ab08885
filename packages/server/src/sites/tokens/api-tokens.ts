import type { ApiToken, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import type { TokenScope } from '@foyer/protocol/values/tokens/token-scopes';
import type { Selectable } from 'kysely';
import { AppError, notFound, tooMany } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../sites.ts';
import { assertLimitsApply, assertNotRevoked, limitColumns } from './token-limits.ts';

type TokenRow = Omit<Selectable<Tables['api_tokens']>, 'token_hash' | 'site_id' | 'expiry_notice_at'>;
type Days = ApiToken['daily'];

const LIVE_MAX = 100;
const LIST_MAX = 200;
const DAILY_DAYS = 30;
const COLUMNS = [
  'id',
  'name',
  'hint',
  'can_write',
  'scopes',
  'browser_origins',
  'allowed_addresses',
  'expires_at',
  'request_count',
  'last_used_at',
  'last_used_address',
  'revoked_at',
  'created_at',
] as const;

/** `foy_`, or `foyb_` for browser tokens, and 43 characters of base64url: 256 random bits. */
export const RAW_TOKEN = /^foyb?_[A-Za-z0-9_-]{43}$/;
const newRawToken = (isForBrowsers: boolean): string => `${isForBrowsers ? 'foyb' : 'foy'}_${newSecret()}`;
const secretColumns = (raw: string) => ({ token_hash: hashSecret(raw), hint: raw.slice(-4) });

/** Write access includes read access. */
export const scopesOf = (canWrite: boolean, limited?: readonly TokenScope[] | null): TokenScope[] => {
  if (limited) return [...limited];
  return canWrite ? ['read', 'write'] : ['read'];
};

function present(row: TokenRow, daily: Days): ApiToken {
  return {
    id: row.id,
    name: row.name,
    kind: row.browser_origins ? 'browser' : 'api',
    scopes: row.browser_origins ? ['write'] : scopesOf(row.can_write, row.scopes),
    allowed_origins: row.browser_origins ?? [],
    allowed_addresses: row.allowed_addresses,
    expires_utc: row.expires_at?.toISOString() ?? null,
    hint: row.hint,
    request_count: row.request_count,
    last_used_utc: row.last_used_at?.toISOString() ?? null,
    last_used_address: row.last_used_address,
    created_utc: row.created_at.toISOString(),
    revoked_utc: row.revoked_at?.toISOString() ?? null,
    daily,
  };
}

/** The last 30 days of each token, newest first, without days that had no request. */
async function dailyCounts(ctx: SiteContext, tokenIds: number[]): Promise<Map<number, Days>> {
  const days = new Map<number, Days>(tokenIds.map((id) => [id, []]));
  if (tokenIds.length === 0) return days;
  const oldest = new Date(ctx.now().getTime() - (DAILY_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const rows = await ctx.db
    .selectFrom('api_token_days')
    .select(['token_id', 'day', 'requests'])
    .where('site_id', '=', ctx.site.id)
    .where('token_id', 'in', tokenIds)
    .where('day', '>=', oldest)
    .orderBy('day', 'desc')
    .execute();
  for (const { token_id, day, requests } of rows) days.get(token_id)?.push({ day, requests });
  return days;
}

async function presentOne(ctx: SiteContext, row: TokenRow): Promise<ApiToken> {
  return present(row, (await dailyCounts(ctx, [row.id])).get(row.id) ?? []);
}

/** Active tokens first, then revoked ones, each newest first; at most 200. Counts lag by up to a second. */
export async function listTokens(ctx: SiteContext): Promise<ApiToken[]> {
  const rows = await ctx.db
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('site_id', '=', ctx.site.id)
    .orderBy((column) => column('revoked_at', 'is not', null))
    .orderBy('id', 'desc')
    .limit(LIST_MAX)
    .execute();
  const daily = await dailyCounts(
    ctx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => present(row, daily.get(row.id) ?? []));
}

async function assertRoomForToken(tx: SiteContext): Promise<void> {
  const live = await tx.db
    .selectFrom('api_tokens')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('revoked_at', 'is', null)
    .limit(LIVE_MAX)
    .execute();
  if (live.length >= LIVE_MAX)
    throw tooMany(LIVE_MAX, `A site can have at most ${LIVE_MAX} active tokens. Revoke some first.`);
}

type Limits = ReturnType<typeof limitColumns>;

interface NewToken {
  name: string;
  browser_origins?: string[];
}

/** Only this response contains the raw token: the database stores its hash. */
function makeToken(
  ctx: SiteContext,
  token: NewToken,
  limits: Limits,
): Promise<OutputOf<'api_tokens.create'>> {
  const raw = newRawToken(token.browser_origins !== undefined);
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    await assertRoomForToken(tx);
    await assertLimitsApply(tx, limits);
    const row = await tx.db
      .insertInto('api_tokens')
      .values({ site_id: tx.site.id, can_write: true, ...token, ...limits, ...secretColumns(raw) })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return { ...present(row, []), token: raw };
  });
}

/**
 * Only this response contains the raw token.
 * @throws AppError 400 for an expiry in the past, 409 for a site with the maximum number of tokens
 */
export const createToken = async (
  ctx: SiteContext,
  { name, ...limits }: ParsedInputOf<'api_tokens.create'>,
): Promise<OutputOf<'api_tokens.create'>> => makeToken(ctx, { name }, limitColumns(limits, ctx.now()));

/** A token for pages, where anybody can read it. It may call operations whose `who` includes `browser`. */
export const createBrowserToken = async (
  ctx: SiteContext,
  { name, allowed_origins, expires_utc }: ParsedInputOf<'browser_tokens.create'>,
): Promise<OutputOf<'browser_tokens.create'>> =>
  makeToken(ctx, { name, browser_origins: allowed_origins }, limitColumns({ expires_utc }, ctx.now()));

const updateToken = (tx: SiteContext, id: number) =>
  tx.db.updateTable('api_tokens').where('site_id', '=', tx.site.id).where('id', '=', id);

async function getToken(tx: SiteContext, id: number): Promise<TokenRow> {
  return tx.db
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('token'));
}

/** Revoking a revoked token changes nothing. */
export function revokeToken(ctx: SiteContext, id: number): Promise<ApiToken> {
  return ctx.transaction(async (tx) => {
    const before = await getToken(tx, id);
    if (before.revoked_at) return presentOne(tx, before);
    const revoked_at = tx.now();
    await updateToken(tx, id).set({ revoked_at }).execute();
    await tx.emit({ notices: [{ kind: 'tokens' }] });
    return presentOne(tx, { ...before, revoked_at });
  });
}

/**
 * Creates a new secret for the same token, which keeps its counts and limits. The old secret stops working at once.
 * @throws AppError 409 for a revoked or expired token
 */
export function rotateToken(ctx: SiteContext, id: number): Promise<OutputOf<'api_tokens.rotate'>> {
  return ctx.transaction(async (tx) => {
    const before = await getToken(tx, id);
    assertNotRevoked(before, 'rotate');
    if (before.expires_at && before.expires_at <= tx.now())
      throw new AppError('conflict', 'This token has expired. Extend it first.', { reason: 'token_expired' });
    const raw = newRawToken(before.browser_origins !== null);
    const secret = secretColumns(raw);
    await updateToken(tx, id).set(secret).execute();
    await tx.emit({ notices: [{ kind: 'tokens' }] });
    return { ...(await presentOne(tx, { ...before, hint: secret.hint })), token: raw };
  });
}

/** Changes a token, with immediate effect. @throws AppError 404 for the other kind of token, 409 for a revoked one */
function changeToken(
  ctx: SiteContext,
  { id, kind }: { id: number; kind: ApiToken['kind'] },
  changes: Limits & { name?: string; browser_origins?: string[] },
): Promise<ApiToken> {
  return ctx.transaction(async (tx) => {
    const before = await getToken(tx, id);
    if ((before.browser_origins !== null) !== (kind === 'browser')) throw notFound('token');
    assertNotRevoked(before, 'change');
    await assertLimitsApply(tx, changes);
    if (Object.keys(changes).length > 0) await updateToken(tx, id).set(changes).execute();
    await tx.emit({ notices: [{ kind: 'tokens' }] });
    const { expiry_notice_at: _, ...shown } = changes;
    return presentOne(tx, { ...before, ...shown });
  });
}

/**
 * Changes an API token's name and limits. The secret stays.
 * @throws AppError 400 for an expiry in the past, 404 for a browser token too, 409 for a revoked token
 */
export const updateApiToken = async (
  ctx: SiteContext,
  { id, name, ...limits }: ParsedInputOf<'api_tokens.update'>,
): Promise<ApiToken> =>
  changeToken(
    ctx,
    { id, kind: 'api' },
    { ...(name !== undefined && { name }), ...limitColumns(limits, ctx.now()) },
  );

/**
 * Changes a browser token's origins and expiry.
 * @throws AppError 400 for an expiry in the past, 404 for an API token too, 409 for a revoked token
 */
export const updateBrowserToken = async (
  ctx: SiteContext,
  { id, allowed_origins, expires_utc }: ParsedInputOf<'browser_tokens.update'>,
): Promise<ApiToken> =>
  changeToken(
    ctx,
    { id, kind: 'browser' },
    {
      ...(allowed_origins && { browser_origins: allowed_origins }),
      ...limitColumns({ expires_utc }, ctx.now()),
    },
  );
