import type { SignedInDevice } from '@foyer/protocol';
import { auth } from './auth.ts';

/** What an authenticator app needs to generate codes, and the backup codes in case it is lost. */
export interface TwoFactorStart {
  totpURI: string;
  backupCodes: string[];
}

/** @returns whether a code is required now */
export async function signIn(email: string, password: string): Promise<boolean> {
  const answer = await auth<{ twoFactorRedirect?: boolean }>('sign-in/email', 'POST', { email, password });
  return answer.twoFactorRedirect === true;
}

/** Sends the authenticator app's code: to sign in, or to prove that it has the secret. */
export const giveCode = (code: string): Promise<unknown> => auth('two-factor/verify-totp', 'POST', { code });

/** Signs in with a backup code instead of the app's. Each works once. */
export const giveBackupCode = (code: string): Promise<unknown> =>
  auth('two-factor/verify-backup-code', 'POST', { code });

/** Nothing is switched on before `giveCode`. */
export const startTwoFactor = (password: string): Promise<TwoFactorStart> =>
  auth('two-factor/enable', 'POST', { password });

/** Switches two-factor sign-in off. */
export const endTwoFactor = (password: string): Promise<unknown> =>
  auth('two-factor/disable', 'POST', { password });

/** Invalidates the previous codes. */
export const renewBackupCodes = async (password: string): Promise<string[]> =>
  (await auth<{ backupCodes: string[] }>('two-factor/generate-backup-codes', 'POST', { password }))
    .backupCodes;

/** Ends one of the agent's sessions. */
export const signOutDevice = (id: string): Promise<unknown> => auth('revoke-session', 'POST', { id });

/** Also signs out other devices. */
export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  auth('change-password', 'POST', { currentPassword, newPassword, revokeOtherSessions: true });

/** Ends all of the agent's sessions but this one. */
export const signOutElsewhere = (): Promise<unknown> => auth('revoke-other-sessions', 'POST', {});

/** The agent's sessions, including this one. */
export const listDevices = (): Promise<SignedInDevice[]> => auth('list-sessions', 'GET');
