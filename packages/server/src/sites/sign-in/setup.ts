import { LANGUAGE_TAG_MAX, LANGUAGE_TAGS_MAX, type Plan, timeZone } from '@foyer/protocol';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { Site } from '../../core/context.ts';
import { type StoredAddress, storePublicAddress } from '../../core/public-address.ts';
import type { Db } from '../../db/database.ts';
import { createSiteWithAdmin } from '../new-site.ts';
import { siteName } from '../sites.ts';
import { accountEmail, password, personName, prepareAccount, storeAccount } from './accounts.ts';
import type { IsBreached } from './breached-passwords.ts';
import { checkedInput } from './checked-input.ts';
import { publicUrl } from './public-url.ts';

/** The root connection, which can begin a transaction. */
type Root = Extract<Db, { transaction(): unknown }>;

/** An arbitrary number: creating the link and completing the setup happen one at a time, across all processes. */
const LOCK = 4_180_226_331;

const lock = (tx: Db): Promise<unknown> => sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);

/** An agent belongs to a site, so an installation without a site has no agent. */
export async function isSetUp(db: Db): Promise<boolean> {
  return (await db.selectFrom('sites').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** A link with the token of `tokenIn`; undefined once there is a site. */
const linkBeforeSetup = (
  db: Root,
  baseUrl: string,
  tokenIn: (tx: Db) => Promise<string>,
): Promise<string | undefined> =>
  db.transaction().execute(async (tx) => {
    await lock(tx);
    return (await isSetUp(tx)) ? undefined : `${baseUrl}/app/setup#${await tokenIn(tx)}`;
  });

async function replaceLink(tx: Db, token: string, createdAt: Date): Promise<string> {
  await tx.deleteFrom('setup_links').where('used_at', 'is', null).execute();
  await tx
    .insertInto('setup_links')
    .values({ token_hash: hashSecret(token), created_at: createdAt })
    .execute();
  return token;
}

/**
 * Creates a one-time link for the first run; undefined once there is a site. Each call ends the previous link, because
 * only hashes are stored.
 */
export const newSetupLink = (db: Root, baseUrl: string): Promise<string | undefined> =>
  linkBeforeSetup(db, baseUrl, (tx) => replaceLink(tx, newSecret(), new Date()));

/**
 * The link that servers print, which is the same from every process and after a restart: its token is derived from the
 * installation's secret and the time at which the link was created. It ends a link of `newSetupLink`.
 */
export function sharedSetupLink(
  db: Root,
  baseUrl: string,
  derivedToken: (purpose: string) => string,
): Promise<string | undefined> {
  const tokenOf = (createdAt: Date): string => derivedToken(`setup link:${createdAt.getTime()}`);
  return linkBeforeSetup(db, baseUrl, async (tx) => {
    const open = await tx
      .selectFrom('setup_links')
      .select(['created_at', 'token_hash'])
      .where('used_at', 'is', null)
      .executeTakeFirst();
    const known = open && tokenOf(open.created_at);
    if (known && hashSecret(known).equals(open.token_hash)) return known;
    const createdAt = new Date();
    return replaceLink(tx, tokenOf(createdAt), createdAt);
  });
}

/** A web address without a query, like `FOYER_BASE_URL`. A trailing slash is dropped. */
const tokenInput = z.strictObject({ token: z.string().min(1, 'must not be empty').max(100) });
const setupInput = tokenInput.extend({
  name: personName,
  email: accountEmail,
  password,
  site_name: siteName,
  sample_knowledge: z.boolean().default(false),
  /** Ignored if `FOYER_BASE_URL` is set. */
  public_url: publicUrl.optional(),
  /** From the admin's browser. */
  time_zone: timeZone.optional(),
  languages: z.array(z.string().max(LANGUAGE_TAG_MAX)).max(LANGUAGE_TAGS_MAX).default([]),
});

async function isOpen(db: Db, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('setup_links')
    .select('created_at')
    .where('token_hash', '=', hashSecret(token))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined && !(await isSetUp(db));
}

/** Doesn't use up the link: `valid` is false for an unknown or used one. @throws AppError 400 without a token */
export async function checkSetup(db: Db, input: unknown): Promise<{ valid: boolean }> {
  return { valid: await isOpen(db, checkedInput(tokenInput, input).token) };
}

const notOpen = (): AppError =>
  new AppError('not_found', 'This setup link is no longer valid. Run `npx foyer setup-link` for a new one.', {
    reason: 'setup_link_spent',
  });

interface SetupOptions {
  isBreached?: IsBreached;
  db: Root;
  now: Date;
  plan: Plan;
  address: StoredAddress;
  importSample(tx: Db, site: Site): Promise<void>;
}

interface CompletedSetup {
  site: Site;
  publicKey: string;
  email: string;
  password: string;
}

/**
 * Creates the first site, its admin and optionally the sample articles, in one transaction. Of two calls at once,
 * one finds the link used.
 * @throws AppError 404 for a link that is not open
 */
export async function completeSetup(
  { db, now, plan, address, importSample, isBreached }: SetupOptions,
  input: unknown,
): Promise<CompletedSetup> {
  const form = checkedInput(setupInput, input);
  if (!(await isOpen(db, form.token))) throw notOpen();
  const account = await prepareAccount(db, { ...form, siteName: form.site_name }, isBreached);
  const created = await db.transaction().execute(async (tx) => {
    await lock(tx);
    if (!(await isOpen(tx, form.token))) throw notOpen();
    await tx
      .updateTable('setup_links')
      .set({ used_at: now })
      .where('token_hash', '=', hashSecret(form.token))
      .execute();
    if (form.public_url !== undefined && !address.isFixed) await storePublicAddress(tx, form.public_url);
    const site = await createSiteWithAdmin(
      tx,
      { name: form.site_name, plan, time_zone: form.time_zone, languages: form.languages },
      { userId: await storeAccount(tx, account), name: form.name },
    );
    if (form.sample_knowledge) await importSample(tx, { id: site.id, plan });
    return site;
  });
  await address.refresh();
  return {
    site: { id: created.id, plan },
    publicKey: created.publicKey,
    email: form.email,
    password: form.password,
  };
}
