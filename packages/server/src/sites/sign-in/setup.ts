import type { Plan } from '@foyer/protocol';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { Site } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { createSite, siteName } from '../sites.ts';
import { accountEmail, password, personName, prepareAccount, storeAccount } from './accounts.ts';
import { checkedInput } from './checked-input.ts';

/** The root connection, which can begin a transaction. */
type Root = Extract<Db, { transaction(): unknown }>;

/** An arbitrary number: creating the link and completing the set-up happen one at a time, across all processes. */
const LOCK = 4_180_226_331;

const lock = (tx: Db): Promise<unknown> => sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);

/** An agent belongs to a site, so an installation without a site has no agent. */
async function isSetUp(db: Db): Promise<boolean> {
  return (await db.selectFrom('sites').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * The one-time link of the first run, to be printed; undefined once there is a site. Each call creates a new link and
 * ends the previous one, because only hashes are stored.
 */
export function ensureSetupLink(db: Root, baseUrl: string): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    await lock(tx);
    if (await isSetUp(tx)) return undefined;
    const token = newSecret();
    await tx.deleteFrom('setup_links').where('used_at', 'is', null).execute();
    await tx
      .insertInto('setup_links')
      .values({ token_hash: hashSecret(token) })
      .execute();
    return `${baseUrl}/app/setup#${token}`;
  });
}

const tokenInput = z.strictObject({ token: z.string().min(1, 'must not be empty').max(100) });
const setupInput = tokenInput.extend({
  name: personName,
  email: accountEmail,
  password,
  site_name: siteName,
  sample_knowledge: z.boolean().default(false),
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

/** Doesn't use the link up: `valid` is false for an unknown or used one. @throws AppError 400 without a token */
export async function checkSetup(db: Db, input: unknown): Promise<{ valid: boolean }> {
  return { valid: await isOpen(db, checkedInput(tokenInput, input).token) };
}

const notOpen = (): AppError =>
  new AppError('not_found', 'This set-up link is not valid any more. Start the server again for a new one.', {
    reason: 'setup_link_spent',
  });

/**
 * Creates the first site, its admin and, if wanted, the sample articles, in one transaction. Of two calls at once,
 * one finds the link used.
 * @throws AppError 404 for a link that is not open
 */
export async function completeSetup(
  {
    db,
    now,
    plan,
    importSample,
  }: {
    db: Root;
    now: Date;
    plan: Plan;
    importSample(tx: Db, site: Site): Promise<void>;
  },
  input: unknown,
): Promise<{ publicKey: string; email: string; password: string }> {
  const form = checkedInput(setupInput, input);
  if (!(await isOpen(db, form.token))) throw notOpen();
  const account = await prepareAccount(db, form);
  const publicKey = await db.transaction().execute(async (tx) => {
    await lock(tx);
    if (!(await isOpen(tx, form.token))) throw notOpen();
    await tx
      .updateTable('setup_links')
      .set({ used_at: now })
      .where('token_hash', '=', hashSecret(form.token))
      .execute();
    const site = await createSite(tx, { name: form.site_name, plan });
    const userId = await storeAccount(tx, account);
    await tx
      .insertInto('agents')
      .values({ site_id: site.id, user_id: userId, name: form.name, role: 'admin' })
      .execute();
    if (form.sample_knowledge) await importSample(tx, { id: site.id, plan });
    return site.publicKey;
  });
  return { publicKey, email: form.email, password: form.password };
}
