import { X509Certificate } from 'node:crypto';
import { invalidInput } from '../../base/errors.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const CERTIFICATES_MAX = 5;
const RSA_BITS_MIN = 2048;

const refuse = (message: string): never => {
  throw invalidInput([{ path: 'saml.certificates', message, reason: 'certificate' }]);
};

function read(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    return refuse('must be X.509 certificates in PEM form');
  }
}

/** Certificates as they are stored, in PEM. Metadata has them without the lines around. @throws AppError 400 */
export function normaliseCertificates(given: string): string {
  const text = given.includes('-----BEGIN')
    ? given
    : `-----BEGIN CERTIFICATE-----\n${given.trim()}\n-----END CERTIFICATE-----`;
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0 || blocks.length > CERTIFICATES_MAX)
    return refuse(`must be 1 to ${CERTIFICATES_MAX} X.509 certificates in PEM form`);
  const certificates = blocks.map(read);
  for (const { publicKey } of certificates) {
    const { modulusLength = RSA_BITS_MIN } = publicKey.asymmetricKeyDetails ?? {};
    if (modulusLength < RSA_BITS_MIN) return refuse(`must have keys of at least ${RSA_BITS_MIN} bits`);
  }
  return certificates.map((certificate) => certificate.toString().trim()).join('\n');
}

/** Each certificate of a stored text. */
export const certificatesIn = (stored: string): string[] => stored.match(BLOCK) ?? [];

/** When the last of the certificates expires. Providers are trusted by the key, so it is only a hint. */
export const expiryOf = (stored: string): Date =>
  new Date(Math.max(...certificatesIn(stored).map((pem) => new X509Certificate(pem).validToDate.getTime())));
