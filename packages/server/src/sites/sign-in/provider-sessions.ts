import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { newSecret } from '../../base/secret-token.ts';
import { CHALLENGE_COOKIE } from './two-factor-plugin.ts';

/** How long somebody may look for their code, as after a password. */
const CHALLENGE_S = 600;
/** Challenges of better-auth begin with `2fa-` and have no further hyphen. */
const CHALLENGE = /^2fa-provider-(\d+)-(\d+)-/;

/** A session's columns of our own. */
export const SESSION_FIELDS = {
  // It acts at this site only, as long as this provider is enabled.
  siteId: { type: 'number', required: false, input: false, fieldName: 'site_id' },
  providerId: { type: 'number', required: false, input: false, fieldName: 'provider_id' },
  lastUsedAt: { type: 'date', required: false, input: false, fieldName: 'last_used_at' },
  // The passkey that has opened it.
  passkeyId: { type: 'string', required: false, input: false, fieldName: 'passkey_id' },
} as const;

const body = z.object({
  userId: z.string(),
  siteId: z.int(),
  providerId: z.int(),
  /** Whether people with two-factor sign-in must enter a code. */
  asksCode: z.boolean(),
});

const passkeyBody = z.object({ userId: z.string(), passkeyId: z.string() });

/**
 * Signs in a person whom an identity provider or a passkey has identified: as a plugin, because better-auth creates the
 * cookies.
 */
export const providerSessions = () => ({
  id: 'foyer-provider-sessions',
  endpoints: {
    openPasskeySession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: passkeyBody },
      async (context) => {
        const { userId, passkeyId } = context.body;
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(userId);
        if (!user) throw new APIError('UNAUTHORIZED');
        const session = await internalAdapter.createSession(userId, false, { passkeyId });
        await setSessionCookie(context, { session, user });
        return context.json({ sessionId: session.id });
      },
    ),
    openProviderSession: createAuthEndpoint.serverOnly({ method: 'POST', body }, async (context) => {
      const { userId, siteId, providerId, asksCode } = context.body;
      const { internalAdapter, secret, createAuthCookie } = context.context;
      const user = await internalAdapter.findUserById(userId);
      if (!user) throw new APIError('UNAUTHORIZED');
      if (asksCode && 'twoFactorEnabled' in user && user.twoFactorEnabled === true) {
        const identifier = `2fa-provider-${siteId}-${providerId}-${newSecret()}`;
        const expiresAt = new Date(Date.now() + CHALLENGE_S * 1_000);
        const attempts = `2fa-attempts-${identifier}`;
        await internalAdapter.createVerificationValue({ identifier, value: userId, expiresAt });
        await internalAdapter.createVerificationValue({ identifier: attempts, value: '0', expiresAt });
        const cookie = createAuthCookie(CHALLENGE_COOKIE, { maxAge: CHALLENGE_S });
        await context.setSignedCookie(cookie.name, identifier, secret, cookie.attributes);
        return context.json({ needsCode: true });
      }
      const session = await internalAdapter.createSession(userId, false, { siteId, providerId });
      await setSessionCookie(context, { session, user });
      return context.json({ needsCode: false });
    }),
  },
});

/** The part of the request that a hook of better-auth sees when it opens a session. */
interface HookContext {
  path?: string;
  context: { secret: string; createAuthCookie(name: string): { name: string } };
  getSignedCookie(name: string, secret: string): Promise<string | null | undefined | false>;
}

/**
 * The provider whose sign-in a code completes, as the signed challenge says; the session belongs to it like one without
 * a code.
 */
export async function providerOfChallenge(
  request: HookContext | null,
): Promise<{ siteId: number; providerId: number } | undefined> {
  if (!request?.path?.startsWith('/two-factor/verify-')) return undefined;
  const { name } = request.context.createAuthCookie(CHALLENGE_COOKIE);
  const found = CHALLENGE.exec((await request.getSignedCookie(name, request.context.secret)) || '');
  return found ? { siteId: Number(found[1]), providerId: Number(found[2]) } : undefined;
}
