import type { SignInPasskey } from '@foyer/protocol';
import { ApiError } from '../../../api.ts';
import { auth } from '../../../auth.ts';
import { t } from './t.ts';

type CreationOptions = PublicKeyCredentialCreationOptionsJSON & { rp: { id: string } };

/** Whether this browser, on this page, can use passkeys. Browsers allow them over https and on localhost only. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether the browser offers passkeys in the list under a field. */
export const offersPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** @returns nothing if the person has cancelled, or no passkey suits */
async function fromBrowser(ask: Promise<Credential | null>): Promise<object | undefined> {
  try {
    const credential = await ask;
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch (error) {
    if (error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name))
      return undefined;
    throw inWords(error);
  }
}

/** The browser's refusals, whose own words are for developers. */
function inWords(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  if (error.name === 'InvalidStateError') return new ApiError('conflict', t('passkey_known'));
  if (error.name === 'SecurityError') return new ApiError('invalid_input', t('passkey_elsewhere'));
  return new ApiError('invalid_input', t('passkey_unsupported'));
}

/**
 * Signs in with a passkey.
 * @param mediation `conditional` waits until the person chooses one under the field
 * @returns false if the person has cancelled
 */
export async function signInWithPasskey(
  mediation: 'conditional' | 'optional',
  signal: AbortSignal,
): Promise<boolean> {
  const options = await auth<PublicKeyCredentialRequestOptionsJSON>('passkey/sign-in-options', 'POST', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await fromBrowser(navigator.credentials.get({ publicKey, mediation, signal }));
  if (!credential || signal.aborted) return false;
  await auth('passkey/sign-in', 'POST', { credential });
  return true;
}

/** @returns nothing if the person has cancelled */
export async function addPasskey(password: string, name: string): Promise<SignInPasskey | undefined> {
  const options = await auth<CreationOptions>('passkey/register-options', 'POST', { password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await fromBrowser(navigator.credentials.create({ publicKey }));
  return credential && (await auth('passkey/register', 'POST', { name, credential }));
}

export const listPasskeys = (): Promise<SignInPasskey[]> => auth('passkey/list', 'GET');

export const renamePasskey = (id: string, name: string): Promise<SignInPasskey> =>
  auth('passkey/rename', 'POST', { id, name });

/** Also signs out the devices that are signed in with it. */
export const removePasskey = (id: string, password: string): Promise<unknown> =>
  auth('passkey/remove', 'POST', { id, password });
