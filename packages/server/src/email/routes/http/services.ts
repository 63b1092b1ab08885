import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { AppError } from '../../../base/errors.ts';
import { type Fields, type Post, type PostedMail, parseJson, textOf } from './posted.ts';

// The formats in which mail services post a mail. Each must contain the original message: DKIM fails on a reassembled
// one.

const wanted = (how: string): AppError =>
  new AppError('invalid_input', `The original message is missing. ${how}`);

const badSignature = (): AppError => new AppError('unauthorized', 'The signature is wrong.');

const isText = (value: unknown): value is string => typeof value === 'string';

/** https://postmarkapp.com/developer/webhooks/inbound-webhook @throws AppError 400 */
export function readPostmark(body: Record<string, unknown>): PostedMail {
  const { RawEmail: raw, MessageID: source, OriginalRecipient: envelopeTo } = body;
  if (!isText(raw))
    throw wanted('Select “Include raw email content in JSON payload” for the inbound webhook in Postmark.');
  return {
    raw: Buffer.from(raw),
    source: isText(source) ? source : undefined,
    envelopeTo: isText(envelopeTo) ? envelopeTo : undefined,
  };
}

function checkMailgun(fields: Fields, key: string): void {
  const [timestamp = '', token = '', signature = ''] = ['timestamp', 'token', 'signature'].map((name) =>
    textOf(fields, name),
  );
  const good = createHmac('sha256', key).update(`${timestamp}${token}`).digest();
  const given = Buffer.from(signature, 'hex');
  if (given.length !== good.length || !timingSafeEqual(given, good)) throw badSignature();
}

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
 * @param key the HTTP webhook signing key
 * @throws AppError 400, 401
 */
export function readMailgun(fields: Fields, key: string | undefined): PostedMail {
  if (key !== undefined) checkMailgun(fields, key);
  const raw = fields.get('body-mime');
  if (raw === undefined) throw wanted('End the URL of the route in Mailgun with /mime.');
  return {
    raw: Buffer.from(raw, 'latin1'),
    source: textOf(fields, 'token'),
    envelopeFrom: textOf(fields, 'sender'),
    envelopeTo: textOf(fields, 'recipient'),
  };
}

/** A key in PEM form, or the base64 in it. @throws AppError 401 for anything else */
function publicKeyOf(key: string): ReturnType<typeof createPublicKey> {
  try {
    const pem = key.includes('BEGIN') ? key : `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`;
    return createPublicKey(pem);
  } catch (error) {
    throw new AppError('unauthorized', 'The mailbox’s secret isn’t the public key of SendGrid.', {
      cause: error,
    });
  }
}

function checkSendGrid({ headers, body }: Post, key: string): void {
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'];
  const signature = headers['x-twilio-email-event-webhook-signature'];
  const signed = Buffer.concat([Buffer.from(String(timestamp)), body]);
  if (!verify('sha256', signed, publicKeyOf(key), Buffer.from(String(signature), 'base64')))
    throw badSignature();
}

/**
 * https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook
 * @param key the public key of a signed webhook
 * @throws AppError 400, 401
 */
export function readSendGrid(post: Post, fields: Fields, key: string | undefined): PostedMail {
  if (key !== undefined) checkSendGrid(post, key);
  const raw = fields.get('email');
  if (raw === undefined)
    throw wanted('Select “POST the raw, full MIME message” for Inbound Parse in SendGrid.');
  const envelope = parseJson(textOf(fields, 'envelope') ?? '{}');
  const to = Array.isArray(envelope.to) ? envelope.to.filter(isText) : [];
  return {
    raw: Buffer.from(raw, 'latin1'),
    envelopeFrom: isText(envelope.from) ? envelope.from : undefined,
    envelopeTo: to.length > 0 ? to.join(', ') : undefined,
    remoteAddress: textOf(fields, 'sender_ip'),
  };
}

/** What SES publishes: https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html @throws AppError 400 */
export function readSes(message: string): PostedMail {
  const { content, receipt, mail } = parseJson(message) as {
    content?: unknown;
    receipt?: { recipients?: unknown; action?: { encoding?: unknown } };
    mail?: { source?: unknown };
  };
  if (!isText(content))
    throw wanted('Use an SNS action in the receipt rule of Amazon SES, which carries up to 150 KB.');
  const recipients = Array.isArray(receipt?.recipients) ? receipt.recipients.filter(isText) : [];
  return {
    raw: Buffer.from(content, receipt?.action?.encoding === 'BASE64' ? 'base64' : 'utf8'),
    envelopeFrom: isText(mail?.source) ? mail.source : undefined,
    envelopeTo: recipients.length > 0 ? recipients.join(', ') : undefined,
  };
}
