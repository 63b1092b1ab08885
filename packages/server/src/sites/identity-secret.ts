import type { IdentitySecret, OutputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { newSecret } from '../base/secret-token.ts';
import type { SiteContext } from '../core/context.ts';
import { getSite, type SiteRow } from './sites.ts';

/** Servers are updated one by one, so the previous secret stays valid for another day. */
const OVERLAP_MS = 86_400_000;
const HINT_LENGTH = 4;

type SecretRow = Pick<
  SiteRow,
  'identity_secret_hint' | 'identity_secret_made_at' | 'identity_secret_previous_until'
>;

function present(row: SecretRow, now: Date): IdentitySecret {
  const { identity_secret_hint: hint, identity_secret_made_at: madeAt } = row;
  if (hint === null || madeAt === null) return null;
  const until = row.identity_secret_previous_until;
  const isLive = until !== null && until > now;
  return {
    hint,
    created_utc: madeAt.toISOString(),
    previous_until_utc: isLive ? until.toISOString() : null,
  };
}

/** Null for a site without a secret. Contains its last characters and dates, never the secret itself. */
export async function findIdentitySecret(ctx: SiteContext): Promise<IdentitySecret> {
  return present(await getSite(ctx.db, ctx.site.id), ctx.now());
}

/** Creates the site's first secret or a new one. Only this response ever contains it. */
export async function rotateIdentitySecret(ctx: SiteContext): Promise<OutputOf<'identity_secret.rotate'>> {
  const secret = `idsec_${newSecret()}`;
  const now = ctx.now();
  const until = new Date(now.getTime() + OVERLAP_MS);
  const row = await ctx.db
    .updateTable('sites')
    .set((eb) => ({
      identity_secret_cipher: ctx.services.vault.seal(secret),
      identity_secret_hint: secret.slice(-HINT_LENGTH),
      identity_secret_made_at: now,
      identity_secret_previous_cipher: eb.ref('identity_secret_cipher'),
      identity_secret_previous_until: sql<Date | null>`case when identity_secret_cipher is not null then ${until}::timestamptz end`,
    }))
    .where('id', '=', ctx.site.id)
    .returning(['identity_secret_hint', 'identity_secret_made_at', 'identity_secret_previous_until'])
    .executeTakeFirstOrThrow();
  const made = present(row, now);
  if (!made) throw new Error('a secret that was just made is there');
  return { ...made, secret };
}

/** Removes the secret: visitors are no longer verified, and pages are trusted without proof again. */
export async function removeIdentitySecret(ctx: SiteContext): Promise<null> {
  await ctx.db
    .updateTable('sites')
    .set({
      identity_secret_cipher: null,
      identity_secret_hint: null,
      identity_secret_made_at: null,
      identity_secret_previous_cipher: null,
      identity_secret_previous_until: null,
    })
    .where('id', '=', ctx.site.id)
    .execute();
  return null;
}
