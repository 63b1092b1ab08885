import { verify } from 'node:crypto';
import { createBoundedCache } from '../../../base/bounded-cache.ts';
import { AppError } from '../../../base/errors.ts';
import { createGuardedFetch } from '../../../net/guarded-fetch.ts';

/** A message of Amazon SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
export interface SnsMessage {
  Type: string;
  MessageId: string;
  Message: string;
  SubscribeURL?: string;
}

/** Only Amazon’s own hosts: certificates and confirmations are fetched from there. */
const AMAZON = /^https:\/\/sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?\//;
const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const;
const TIMEOUT_MS = 10_000;
const KEPT_CERTIFICATES = 20;
const CERTIFICATE_MAX_CHARS = 20_000;

const refused = (message: string): AppError => new AppError('unauthorized', message);

/** `fetch` may be replaced by tests: Amazon’s hosts aren’t reachable from everywhere. */
export interface Sns {
  /** @throws AppError 400, 401 for a wrong signature */
  read(body: Record<string, unknown>): Promise<SnsMessage>;
  /** Confirms the subscription of this URL. @throws AppError 503 */
  confirm(message: SnsMessage): Promise<void>;
}

/** Checks the signatures of Amazon SNS with its certificates, which are fetched once. */
export function createSns(fetchUrl: typeof fetch = createGuardedFetch({ allowPrivate: false })): Sns {
  const certificates = createBoundedCache<string>({ max: KEPT_CERTIFICATES });
  const get = async (url: string | undefined): Promise<string> => {
    if (url === undefined || !AMAZON.test(url)) throw refused('The address isn’t one of Amazon SNS.');
    try {
      const response = await fetchUrl(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      if (response.ok) return text;
      throw new Error(`status ${response.status}`);
    } catch (error) {
      throw new AppError('unavailable', 'Amazon SNS can’t be reached.', { cause: error });
    }
  };
  const certificateAt = async (url: string): Promise<string> => {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    const text = (await get(url)).slice(0, CERTIFICATE_MAX_CHARS);
    certificates.set(url, text);
    return text;
  };
  return {
    async read(body) {
      const text = (name: string): string | undefined =>
        typeof body[name] === 'string' ? body[name] : undefined;
      const type = text('Type') ?? '';
      const names = SIGNED[type as keyof typeof SIGNED];
      if (!names) throw new AppError('invalid_input', `Unknown type of SNS message: ${type.slice(0, 50)}`);
      const signed = names.flatMap((name) => {
        const value = text(name);
        return value === undefined ? [] : [`${name}\n${value}\n`];
      });
      const certificate = await certificateAt(text('SigningCertURL') ?? '');
      const digest = text('SignatureVersion') === '2' ? 'sha256' : 'sha1';
      const signature = Buffer.from(text('Signature') ?? '', 'base64');
      if (!isSigned(digest, signed.join(''), certificate, signature))
        throw refused('The signature is wrong.');
      return body as unknown as SnsMessage;
    },
    async confirm({ SubscribeURL: url }) {
      await get(url);
    },
  };
}

function isSigned(digest: string, signed: string, certificate: string, signature: Buffer): boolean {
  try {
    return verify(digest, Buffer.from(signed), certificate, signature);
  } catch {
    // What Amazon’s host returned is no certificate.
    return false;
  }
}
