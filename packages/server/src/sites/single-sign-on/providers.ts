import {
  IDENTITY_PROVIDERS_MAX,
  type IdentityProvider,
  type OutputOf,
  type ParsedInputOf,
} from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { invalidInput, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../sites.ts';
import { redirectUri, samlAcsUrl, samlEntityId, scimUrl, startUrl } from './addresses.ts';
import { expiryOf, normaliseCertificates } from './certificates.ts';
import type { ProviderClient } from './identity-client.ts';
import { findSamlCertificate, presentSamlKey } from './saml-keys.ts';

/** The table itself, for other folders' data of a provider. */
export const providerRecords = new SiteRecords('identity_providers', 'identity provider');

export type ProviderRow = Selectable<Tables['identity_providers']>;

/** Which protocol a provider speaks. */
export const kindOf = ({
  saml_sign_in_url: url,
}: Pick<ProviderRow, 'saml_sign_in_url'>): IdentityProvider['kind'] => (url === null ? 'oidc' : 'saml');

/** The name of better-auth's accounts of a provider. */
export const accountsOf = (providerId: number): string => `provider-${providerId}`;

const present = ({ services, site }: SiteContext, row: ProviderRow): IdentityProvider => ({
  id: row.id,
  kind: kindOf(row),
  name: row.name,
  issuer: row.issuer,
  client_id: row.client_id,
  saml:
    kindOf(row) === 'saml'
      ? {
          sign_in_url: row.saml_sign_in_url ?? '',
          certificates: row.saml_certificates ?? '',
          expires_utc: expiryOf(row.saml_certificates ?? '').toISOString(),
          encrypted_only: row.saml_encrypted_only,
        }
      : null,
  domains: row.domains,
  enabled: row.disabled_at === null,
  creates_agents: row.creates_agents,
  default_role: row.default_role,
  groups_claim: row.groups_claim,
  group_roles: row.group_roles,
  refuses_passwords: row.refuses_passwords_at !== null,
  asks_code: row.asks_code,
  sign_in_url: startUrl(services.address.url, site.id, row.id),
  scim: row.scim_token_made_at && {
    base_url: scimUrl(services.address.url),
    token_hint: row.scim_token_hint ?? '',
    token_created_utc: row.scim_token_made_at.toISOString(),
    used_utc: row.scim_used_at?.toISOString() ?? null,
  },
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

/** The provider with its secret, as requests to it need it. */
export const clientOf = ({ services }: SiteContext, row: ProviderRow): ProviderClient => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: services.vault.open(row.client_secret_cipher),
});

/** @throws AppError 404, also for another site's */
export const getProvider = (ctx: SiteContext, id: number): Promise<ProviderRow> =>
  providerRecords.get(ctx, id);

/** One that people can sign in with. */
export const findEnabledProvider = (
  { db, site }: SiteContext,
  id: number,
): Promise<ProviderRow | undefined> =>
  db
    .selectFrom('identity_providers')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();

/** The site's providers, oldest first, and the redirect URI that they must know. */
export async function listProviders(ctx: SiteContext): Promise<OutputOf<'identity_providers.list'>> {
  const rows = await ctx.db
    .selectFrom('identity_providers')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .orderBy('id')
    .limit(IDENTITY_PROVIDERS_MAX)
    .execute();
  const certificate = await findSamlCertificate(ctx);
  return {
    providers: rows.map((row) => present(ctx, row)),
    redirect_url: redirectUri(ctx.services.address.url, ctx.site.id),
    saml_acs_url: samlAcsUrl(ctx.services.address.url, ctx.site.id),
    saml_entity_id: samlEntityId(ctx.services.address.url, ctx.site.id),
    saml_encryption: certificate === null ? null : presentSamlKey(certificate),
  };
}

type Given = Omit<ParsedInputOf<'identity_providers.update'>, 'id'>;

/** The columns that were given. Flags that say since when keep their time. */
function columnsOf(tx: SiteContext, given: Given, before: ProviderRow) {
  const { client_secret, enabled, refuses_passwords, group_roles, domains, saml, ...plain } = given;
  const since = (was: Date | null, isOn: boolean | undefined): Date | null | undefined =>
    isOn === undefined ? undefined : isOn ? (was ?? tx.now()) : null;
  return {
    ...plain,
    ...samlColumns(saml),
    domains: domains && [...new Set(domains)],
    group_roles: group_roles && JSON.stringify(group_roles),
    client_secret_cipher: client_secret === undefined ? undefined : tx.services.vault.seal(client_secret),
    refuses_passwords_at: since(before.refuses_passwords_at, refuses_passwords),
    disabled_at: since(before.disabled_at, enabled === undefined ? undefined : !enabled),
  };
}

const samlColumns = (saml: Given['saml']) =>
  saml && {
    saml_sign_in_url: saml.sign_in_url,
    saml_certificates: normaliseCertificates(saml.certificates),
    saml_encrypted_only: saml.encrypted_only,
  };

/** Requires the settings of each kind of provider, and refuses others. @throws AppError 400 */
async function checkKind(
  ctx: SiteContext,
  kind: IdentityProvider['kind'],
  given: Given,
  isNew: boolean,
): Promise<void> {
  const foreign = kind === 'saml' ? (['client_id', 'client_secret'] as const) : (['saml'] as const);
  const needed = kind === 'saml' ? (['saml'] as const) : (['client_id', 'client_secret'] as const);
  const issues = [
    ...foreign
      .filter((path) => given[path] !== undefined)
      .map((path) => ({ path, message: 'belongs to the other kind of provider' })),
    ...needed
      .filter((path) => isNew && given[path] === undefined)
      .map((path) => ({ path, message: 'is required', reason: 'missing' })),
  ];
  if (issues.length > 0) throw invalidInput(issues);
  if (kind === 'oidc' && given.issuer !== undefined) checkIssuer(ctx, given.issuer);
  const problem = given.saml ? ctx.services.identityClient.issuerProblem(given.saml.sign_in_url) : null;
  if (problem !== null)
    throw invalidInput([{ path: 'saml.sign_in_url', message: problem, reason: 'issuer' }]);
  if (given.saml?.encrypted_only && (await findSamlCertificate(ctx)) === null)
    throw invalidInput([
      { path: 'saml.encrypted_only', message: 'needs a key to encrypt to', reason: 'missing' },
    ]);
}

function newRow(tx: SiteContext, input: ParsedInputOf<'identity_providers.create'>) {
  const {
    client_secret = '',
    client_id = '',
    kind: _kind,
    saml,
    enabled,
    refuses_passwords,
    group_roles,
    domains,
    ...plain
  } = input;
  const now = tx.now();
  return {
    ...plain,
    ...samlColumns(saml),
    client_id,
    domains: [...new Set(domains)],
    group_roles: JSON.stringify(group_roles),
    client_secret_cipher: tx.services.vault.seal(client_secret),
    refuses_passwords_at: refuses_passwords ? now : null,
    disabled_at: enabled ? null : now,
    created_at: now,
    updated_at: now,
  };
}

/** @throws AppError 400 for an issuer that isn't an https address, 409 for a name that is taken, or too many */
export async function createProvider(
  ctx: SiteContext,
  input: ParsedInputOf<'identity_providers.create'>,
): Promise<IdentityProvider> {
  await checkKind(ctx, input.kind, input, true);
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    if ((await listProviders(tx)).providers.length >= IDENTITY_PROVIDERS_MAX)
      throw tooMany(
        IDENTITY_PROVIDERS_MAX,
        `A site can have at most ${IDENTITY_PROVIDERS_MAX} identity providers.`,
      );
    const row = await providerRecords.insert(tx, newRow(tx, input));
    await askAgain(tx, row);
    return present(tx, row);
  });
}

/**
 * Another issuer or client needs its own secret: the stored one is sent to nobody else. Another issuer forgets the
 * linked people, because it has its own ids for them.
 * @throws AppError 400, 404, 409
 */
export async function updateProvider(
  ctx: SiteContext,
  { id, ...change }: ParsedInputOf<'identity_providers.update'>,
): Promise<IdentityProvider> {
  return ctx.transaction(async (tx) => {
    const before = await providerRecords.lock(tx, id);
    await checkKind(tx, kindOf(before), change, false);
    if (kindOf(before) === 'oidc') refuseForeignSecret(before, change);
    const row = await providerRecords.update(tx, id, columnsOf(tx, change, before), { updated_at: tx.now() });
    if (row.issuer !== before.issuer) await forgetPeople(tx, id);
    if (row.issuer !== before.issuer || (row.disabled_at && !before.disabled_at)) await endSessions(tx, id);
    await askAgain(tx, row);
    return present(tx, row);
  });
}

/** Ends the sessions that it opened. Its people keep their accounts. @throws AppError 404 */
export function deleteProvider(ctx: SiteContext, id: number): Promise<OutputOf<'identity_providers.delete'>> {
  return ctx.transaction(async (tx) => {
    await providerRecords.lock(tx, id);
    await endSessions(tx, id);
    await forgetPeople(tx, id);
    return providerRecords.delete(tx, id);
  });
}

/** @throws AppError 400 if the stored secret would be sent to somebody else */
export function refuseForeignSecret(
  before: Pick<ProviderRow, 'issuer' | 'client_id'>,
  change: { issuer?: string | undefined; client_id?: string | undefined; client_secret?: string | undefined },
): void {
  const isSame =
    (change.issuer ?? before.issuer) === before.issuer &&
    (change.client_id ?? before.client_id) === before.client_id;
  if (isSame || change.client_secret !== undefined) return;
  throw invalidInput([
    { path: 'client_secret', message: 'is required for another issuer or client', reason: 'missing' },
  ]);
}

/** @throws AppError 400 */
export function checkIssuer({ services }: SiteContext, issuer: string): void {
  const problem = services.identityClient.issuerProblem(issuer);
  if (problem !== null) throw invalidInput([{ path: 'issuer', message: problem, reason: 'issuer' }]);
}

const forgetPeople = (tx: SiteContext, id: number) =>
  tx.db.deleteFrom('auth_accounts').where('provider_id', '=', accountsOf(id)).execute();

async function endSessions(tx: SiteContext, id: number): Promise<void> {
  const ended = await tx.db
    .deleteFrom('auth_sessions')
    .where('site_id', '=', tx.site.id)
    .where('provider_id', '=', id)
    .returning('user_id')
    .execute();
  await signOut(
    tx,
    ended.map(({ user_id }) => user_id),
  );
}

/** Sockets of agents in the provider's domains authenticate again: the way they signed in may no longer suffice. */
async function askAgain(tx: SiteContext, { domains }: ProviderRow): Promise<void> {
  const rows = await tx.db
    .selectFrom('agents')
    .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
    .select('auth_users.id')
    .where('agents.site_id', '=', tx.site.id)
    .where('agents.removed_at', 'is', null)
    .where(sql<boolean>`split_part(auth_users.email, '@', 2) = any (${domains}::text[])`)
    .execute();
  await signOut(
    tx,
    rows.map(({ id }) => id),
  );
}

async function signOut(tx: SiteContext, userIds: readonly string[]): Promise<void> {
  const notices = [...new Set(userIds)].map((userId) => ({ kind: 'signed_out', userId }) as const);
  if (notices.length > 0) await tx.emit({ notices });
}

/** A provider as the sign-in page offers it. */
export interface OfferedProvider {
  site_id: number;
  id: number;
  name: string;
}

const OFFERED_MAX = 20;

/**
 * The providers for the sign-in page: those of the domain of an address; without one, all of them if the installation
 * has one site. With several, their names would tell strangers who works here, and one site's button would be shown to
 * the teams of others.
 */
export const offeredProviders = (db: Db, domain: string | undefined): Promise<OfferedProvider[]> =>
  db
    .selectFrom('identity_providers')
    .select(['site_id', 'id', 'name'])
    .where('disabled_at', 'is', null)
    .where(
      domain === undefined
        ? sql<boolean>`(select count(*) from (select from sites limit 2) s) = 1`
        : sql<boolean>`domains @> array[${domain}]::text[]`,
    )
    .orderBy('site_id')
    .orderBy('id')
    .limit(OFFERED_MAX)
    .execute();
