import type { SignedInDevice } from '@foyer/protocol';
import { auth } from './auth.ts';

/** What a device is given to make codes from, and what stands in when it is lost. */
export interface TwoFactorStart {
  totpURI: string;
  backupCodes: string[];
}

/** @returns whether a code is asked for now. */
export async function signIn(email: string, password: string): Promise<boolean> {
  const answer = await auth<{ twoFactorRedirect?: boolean }>('sign-in/email', 'POST', { email, password });
  return answer.twoFactorRedirect === true;
}

/** The code that the device shows: at the sign-in, or to prove that it has the secret. */
export const giveCode = (code: string): Promise<unknown> => auth('two-factor/verify-totp', 'POST', { code });

/** Signs in with a backup code in place of the phone's; each works once. */
export const giveBackupCode = (code: string): Promise<unknown> =>
  auth('two-factor/verify-backup-code', 'POST', { code });

/** Nothing is on before `giveCode`. */
export const startTwoFactor = (password: string): Promise<TwoFactorStart> =>
  auth('two-factor/enable', 'POST', { password });

/** Turns the second factor off. */
export const endTwoFactor = (password: string): Promise<unknown> =>
  auth('two-factor/disable', 'POST', { password });

/** The codes before are worth nothing then. */
export const renewBackupCodes = async (password: string): Promise<string[]> =>
  (await auth<{ backupCodes: string[] }>('two-factor/generate-backup-codes', 'POST', { password }))
    .backupCodes;

/** Ends one of my sessions. */
export const signOutDevice = (id: string): Promise<unknown> => auth('revoke-session', 'POST', { id });

/** Other devices are signed out with it. */
export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  auth('change-password', 'POST', { currentPassword, newPassword, revokeOtherSessions: true });

/** Ends all my sessions but this one. */
export const signOutElsewhere = (): Promise<unknown> => auth('revoke-other-sessions', 'POST', {});

/** My sessions, this one among them. */
export const listDevices = (): Promise<SignedInDevice[]> => auth('list-sessions', 'GET');
