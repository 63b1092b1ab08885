import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { z } from 'zod';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { SiteContext } from '../../core/context.ts';
import { redirectUri } from './addresses.ts';
import type { Errand } from './identity-client.ts';

/** Sign-ins under way are stored among better-auth's verifications, with a prefix that none of its own has. */
const PREFIX = 'provider-sign-in:';
/** Enough to choose an account, type a password and confirm a second factor. */
const LIFE_MS = 15 * MINUTE_MS;

/** The purpose of a sign-in. */
const flow = z.object({
  site: z.int(),
  provider: z.int(),
  issuer: z.string(),
  client: z.string(),
  /** SHA-256 of the browser's mark: a link with somebody else's sign-in is refused in any other browser. */
  browser: z.string(),
  next: z.string(),
});
export type Flow = z.infer<typeof flow>;

const identifierOf = (state: string): string => PREFIX + hashSecret(state).toString('hex');

/** The key under which a checked SAML response is kept. */
export const assertionIdentifier = (state: string): string => identifierOf(`assertion ${state}`);

/** The stored form of a browser's mark. */
export const browserHash = (mark: string): string => hashSecret(mark).toString('hex');

/** Nonce and verifier are derived from the state, of which only a hash is stored. */
export const errandOf = ({ services, site }: SiteContext, state: string): Errand => ({
  state,
  nonce: services.derivedToken(`sign-in nonce ${state}`),
  verifier: services.derivedToken(`sign-in verifier ${state}`),
  redirectUri: redirectUri(services.address.url, site.id),
});

/** Stores the beginning of a sign-in, and deletes those that expired. @returns its state */
export async function beginFlow(ctx: SiteContext, about: Omit<Flow, 'site'>): Promise<string> {
  const state = newSecret();
  const now = ctx.now();
  const value = JSON.stringify({ ...about, site: ctx.site.id } satisfies Flow);
  await sql`
    with expired as (
      delete from auth_verifications where identifier like ${`${PREFIX}%`} and expires_at < ${now}
    )
    insert into auth_verifications (id, identifier, value, expires_at)
    values (${randomUUID()}, ${identifierOf(state)}, ${value}, ${new Date(now.getTime() + LIFE_MS)})`.execute(
    ctx.db,
  );
  return state;
}

/** A sign-in under way, whichever browser has begun it: only that browser's mark completes it. */
export async function findFlow(ctx: SiteContext, state: string): Promise<Flow | undefined> {
  const row = await ctx.db
    .selectFrom('auth_verifications')
    .select('value')
    .where('identifier', '=', identifierOf(state))
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst();
  const found = row && flow.safeParse(JSON.parse(row.value)).data;
  return found?.site === ctx.site.id ? found : undefined;
}

/**
 * Claims a sign-in that was begun in this browser, once: of two callers with the same state, one finds none.
 * @returns undefined for an unknown, used or expired state, or another browser's
 */
export async function takeFlow(
  ctx: SiteContext,
  state: string,
  browserMark: string,
): Promise<Flow | undefined> {
  const row = await ctx.db
    .deleteFrom('auth_verifications')
    .where('identifier', '=', identifierOf(state))
    .where('expires_at', '>', ctx.now())
    .returning('value')
    .executeTakeFirst();
  const found = row && flow.safeParse(JSON.parse(row.value)).data;
  return found?.site === ctx.site.id && found.browser === browserHash(browserMark) ? found : undefined;
}
