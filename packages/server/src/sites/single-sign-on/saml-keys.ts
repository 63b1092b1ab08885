import { generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { OutputOf, SamlEncryption } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import type { SiteContext } from '../../core/context.ts';
import { samlEntityId } from './addresses.ts';
import { expiryOf } from './certificates.ts';

const RSA_BITS = 3072;
/** Providers warn of an expired certificate; Foyer decrypts by the key and ignores the expiry. */
const CERTIFICATE_DAYS = 3650;
const COMMON_NAME = '2.5.4.3';
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';
const NAME_MAX = 64;

/** A self-signed certificate of the key: providers accept a key only in this form. */
async function certificateOf(
  keys: { publicKey: Buffer; privateKey: string },
  { name, from }: { name: string; from: Date },
): Promise<string> {
  const [{ AsnConvert }, x509] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ]);
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null });
  const called = new x509.Name([
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new x509.AttributeValue({ utf8String: name.slice(0, NAME_MAX) }),
      }),
    ]),
  ]);
  const serial = randomBytes(16);
  // Positive, and without a leading zero byte.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const body = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: new Uint8Array(serial).buffer,
    signature: algorithm,
    issuer: called,
    subject: called,
    validity: new x509.Validity({
      notBefore: from,
      notAfter: new Date(from.getTime() + CERTIFICATE_DAYS * DAY_MS),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(keys.publicKey, x509.SubjectPublicKeyInfo),
  });
  const signatureValue = sign('sha256', Buffer.from(AsnConvert.serialize(body)), keys.privateKey);
  const certificate = new x509.Certificate({
    tbsCertificate: body,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signatureValue).buffer,
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString().trim();
}

/** The public part of the key, for providers and people. */
export const presentSamlKey = (certificate: string): SamlEncryption => ({
  certificate,
  expires_utc: expiryOf(certificate).toISOString(),
});

const newKeys = (): Promise<{ publicKey: Buffer; privateKey: string }> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/**
 * Creates the key to which the site's providers encrypt assertions. The previous key still decrypts, until the next one
 * is created: providers change one after the other.
 */
export async function rotateSamlKey(
  ctx: SiteContext,
): Promise<OutputOf<'identity_providers.rotate_saml_key'>> {
  const { address, vault } = ctx.services;
  const keys = await newKeys();
  const name = samlEntityId(address.url, ctx.site.id).replace(/^https?:\/\//, '');
  const certificate = await certificateOf(keys, { name, from: ctx.now() });
  await ctx.db
    .updateTable('sites')
    .set((eb) => ({
      saml_key_cipher: vault.seal(keys.privateKey),
      saml_previous_key_cipher: eb.ref('saml_key_cipher'),
      saml_certificate: certificate,
    }))
    .where('id', '=', ctx.site.id)
    .execute();
  return presentSamlKey(certificate);
}

/** The certificate that providers encrypt to; null before the first key. */
export async function findSamlCertificate({ db, site }: SiteContext): Promise<string | null> {
  const row = await db
    .selectFrom('sites')
    .select('saml_certificate')
    .where('id', '=', site.id)
    .executeTakeFirst();
  return row?.saml_certificate ?? null;
}

/** The keys that decrypt assertions, the newest first. */
export async function samlKeys({ db, services, site }: SiteContext): Promise<string[]> {
  const row = await db
    .selectFrom('sites')
    .select(['saml_key_cipher', 'saml_previous_key_cipher'])
    .where('id', '=', site.id)
    .executeTakeFirst();
  return [row?.saml_key_cipher, row?.saml_previous_key_cipher].flatMap((sealed) =>
    sealed ? services.vault.open(sealed) : [],
  );
}
