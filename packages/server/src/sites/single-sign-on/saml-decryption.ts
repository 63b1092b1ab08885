import { SaxesParser } from 'saxes';
import { SignInRefused } from './claims.ts';

/** The data to check before the library reads a response. */
export interface Opened {
  /** The response without its encrypted parts. */
  around: string;
  /** The assertion that was encrypted; undefined if it wasn't. */
  assertion: string | undefined;
  /** The key that decrypts it. */
  key: string | undefined;
}

const NAME = 'EncryptedAssertion';

const refuse = (detail: string): never => {
  throw new SignInRefused('invalid', { detail });
};

/** The positions of the encrypted assertions in a response. @throws SignInRefused */
function placesIn(xml: string): [from: number, to: number][] {
  const parser = new SaxesParser({ xmlns: true });
  const places: [number, number][] = [];
  let depth = 0;
  parser.on('error', () => refuse('it isn’t XML'));
  parser.on('opentag', ({ local }) => {
    depth += 1;
    if (local !== NAME) return;
    if (depth !== 2) refuse('its encrypted assertion is within something else');
    // No value of an attribute can contain a bare "<".
    places.push([xml.lastIndexOf('<', parser.position - 1), 0]);
  });
  parser.on('closetag', ({ local }) => {
    depth -= 1;
    const place = places.at(-1);
    if (local === NAME && place) place[1] = parser.position;
  });
  parser.write(xml).close();
  return places;
}

/**
 * Decrypts the assertion of a response, so that its content gets the same checks as an unencrypted one. The browser
 * gets the same answer for every failure: different ones would allow decrypting it piece by piece.
 * @param keys private keys, in PEM; one of them may have been replaced
 * @throws SignInRefused
 */
export async function openAnswer(xml: string, keys: readonly string[]): Promise<Opened> {
  // The name of an element can't be written in any other way.
  const [place, ...others] = xml.includes(NAME) ? placesIn(xml) : [];
  if (!place) return { around: xml, assertion: undefined, key: undefined };
  if (others.length > 0) return refuse('it has several encrypted assertions');
  const [from, to] = place;
  for (const key of keys) {
    const assertion = await decrypted(xml.slice(from, to), key);
    if (assertion !== undefined) return { around: xml.slice(0, from) + xml.slice(to), assertion, key };
  }
  return refuse(keys.length > 0 ? 'no key of this site decrypts it' : 'it is encrypted, and there is no key');
}

async function decrypted(sealed: string, key: string): Promise<string | undefined> {
  const { decrypt } = await import('xml-encryption');
  return new Promise((resolve) => {
    // Not RSA 1.5, whose padding reveals the content to an attacker, nor Triple DES.
    decrypt(sealed, { key, disallowDecryptionWithInsecureAlgorithm: true }, (error, text) =>
      resolve(error ? undefined : text),
    );
  });
}
