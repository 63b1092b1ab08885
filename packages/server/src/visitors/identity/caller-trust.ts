import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { identitySecrets, type Trust, trustInPage } from './identity-proof.ts';

/**
 * How far a REST caller is trusted. Anybody can read a browser token, so it is trusted like the page that contains
 * it. Without the proof that the site asks for it is refused, whether or not the key exists.
 * @throws AppError 403
 */
export async function trustInCaller(
  ctx: SiteContext,
  key: string,
  userHash: string | undefined,
): Promise<Trust> {
  if (ctx.actor.kind !== 'token' || !ctx.actor.browser) return 'vouched';
  const secrets = await identitySecrets(ctx.db, ctx.site.id, ctx.services.vault, ctx.now());
  const trust = trustInPage(secrets, key, userHash);
  if (trust !== 'unproven') return trust;
  throw new AppError(
    'insufficient_scope',
    'This site accepts a browser token only with a valid user_hash of the key, computed on its own server.',
  );
}
