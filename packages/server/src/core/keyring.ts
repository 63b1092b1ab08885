import { hkdfSync } from 'node:crypto';

/** Derives a separate key for each purpose from FOYER_SECRET. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'foyer', purpose, 32));

/** A fingerprint of a secret that doesn't reveal it. It is part of backups, so it must stay the same. */
export const secretCheck = (secret: string): string =>
  deriveKey(secret, 'backup check').toString('base64url');

export const KEY_ID_BYTES = 4;

/** Names a secret without revealing it, such as in front of what it encrypts: 8 hexadecimal digits. */
export const keyIdOf = (secret: string): string =>
  deriveKey(secret, 'key id').subarray(0, KEY_ID_BYTES).toString('hex');

/** One secret of the installation. */
export interface SecretKey {
  readonly id: string;
  readonly secret: string;
  readonly check: string;
}

/** Precedes the fingerprint in the database once the secret was rotated. Older versions then refuse to start. */
const ROTATED = 'rotated ';

/** What the database stores of the secret that the installation uses. */
export const storedCheck = ({ check }: Pick<SecretKey, 'check'>, isRotated: boolean): string =>
  isRotated ? ROTATED + check : check;

/** The fingerprint in what the database stores, see `storedCheck`. */
export const readStoredCheck = (stored: string): { check: string; isRotated: boolean } =>
  stored.startsWith(ROTATED)
    ? { check: stored.slice(ROTATED.length), isRotated: true }
    : { check: stored, isRotated: false };

/**
 * The secrets that this process knows, and the one that the installation uses: it encrypts and signs, the others only
 * decrypt and verify. `foyer secrets rotate` changes it while processes run.
 */
export class Keyring {
  readonly #keys: readonly SecretKey[];
  #current: SecretKey;
  #isRotated = false;
  readonly #derived = new Map<string, Buffer>();

  /** @param secrets the newest first: FOYER_SECRET, then FOYER_SECRET_OLD */
  constructor(secrets: readonly [string, ...string[]]) {
    const keyOf = (secret: string): SecretKey => ({
      id: keyIdOf(secret),
      secret,
      check: secretCheck(secret),
    });
    this.#keys = [...new Set(secrets)].map(keyOf);
    this.#current = keyOf(secrets[0]);
  }

  /** The one that encrypts and signs. */
  get current(): SecretKey {
    return this.#current;
  }

  /** FOYER_SECRET: the target of a rotation. */
  get newest(): SecretKey {
    return this.#keys[0] ?? this.#current;
  }

  /** All of them, the current one first, then the newest first. */
  get known(): readonly SecretKey[] {
    return [this.#current, ...this.#keys.filter(({ id }) => id !== this.#current.id)];
  }

  /** Whether the secret was ever rotated: encrypted data then carries the id of its key. */
  get isRotated(): boolean {
    return this.#isRotated;
  }

  /**
   * Switches to the secret that the database names.
   * @param stored see `storedCheck`
   * @returns false if this process doesn't know it
   */
  adopt(stored: string): boolean {
    const { check, isRotated } = readStoredCheck(stored);
    const key = this.#keys.find((one) => one.check === check);
    if (!key) return false;
    this.#current = key;
    this.#isRotated = isRotated;
    return true;
  }

  /** As `deriveKey`, each key once. */
  derive({ id, secret }: SecretKey, purpose: string): Buffer {
    const name = `${id} ${purpose}`;
    const known = this.#derived.get(name);
    if (known) return known;
    const key = deriveKey(secret, purpose);
    this.#derived.set(name, key);
    return key;
  }
}

/** For processes with a single secret, which was never rotated. */
export const keyringOf = (secret: Keyring | string): Keyring =>
  typeof secret === 'string' ? new Keyring([secret]) : secret;
