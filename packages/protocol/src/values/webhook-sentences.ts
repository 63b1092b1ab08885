import type { Gaps } from './phrases.ts';
import { readerOf, sentenceWith } from './sentences.ts';

/** What an address must be, as it goes on from a field's label. */
export const ADDRESS_PROBLEMS = {
  form: 'must be an address such as https://example.com/hook',
  scheme: 'must begin with https:// or http://',
  credentials: 'must not hold a user name or a password',
  not_public: 'must lead to a public address, not to a private, local or reserved one',
} as const;

/**
 * Why a webhook was disabled, or an attempt failed. REST, the log and the database have the sentence itself; the desk
 * reads it back and says it in its agent's language. What was said once is stored: a sentence that changes is a new one.
 */
export const WEBHOOK_SENTENCES = {
  failing: 'Every attempt failed for {days} days.',
  gone: 'The receiver answered 410 Gone.',
  switched_off: 'Switched off by {name}.',
  switched_off_api: 'Switched off over the API.',
  from_archive: 'It came with an archive: renew its secret, then enable it.',
  secret_unreadable:
    "The subscription's secret can't be read: FOYER_SECRET is not the one that it was saved with.",
  address_form: `The address ${ADDRESS_PROBLEMS.form}.`,
  address_scheme: `The address ${ADDRESS_PROBLEMS.scheme}.`,
  address_credentials: `The address ${ADDRESS_PROBLEMS.credentials}.`,
  address_not_public: `The address ${ADDRESS_PROBLEMS.not_public}.`,
  name_not_public: 'The host name does not lead to a public address.',
  name_unknown: 'The host name could not be resolved.',
  name_servers_silent: 'The host name could not be resolved: its name servers do not answer.',
  refused: 'The connection was refused.',
  cut: 'The connection was closed before the whole answer had come.',
  unreachable: 'The receiver could not be reached.',
  too_late: 'There was no whole answer within {seconds} s.',
  no_tls: 'The receiver does not speak TLS on this port.',
  certificate_name: 'The TLS certificate is for another host name.',
  certificate_expired: 'The TLS certificate has expired.',
  certificate_self_signed: 'The TLS certificate is self-signed.',
  certificate_unverified: 'The TLS certificate could not be verified.',
  tls: 'The TLS connection failed ({code}).',
  headers_large: "The answer's headers are too large.",
  not_http: 'The answer is not valid HTTP.',
  redirect: 'The receiver answered {status}; redirects are not followed.',
  status: 'The receiver answered {status}.',
  failed: 'The exchange failed.',
  failed_code: 'The exchange failed ({code}).',
} as const;

type Sentences = typeof WEBHOOK_SENTENCES;
export type WebhookReason = keyof Sentences;

/** Those that need no value. */
export type PlainWebhookReason = {
  [K in WebhookReason]: [Gaps<Sentences[K]>] extends [never] ? K : never;
}[WebhookReason];

type Filling<K extends WebhookReason> = K extends PlainWebhookReason ? [] : [value: string | number];

/** The sentence of a reason; none has more than one gap. */
export const webhookSentence = <K extends WebhookReason>(reason: K, ...[value = '']: Filling<K>): string =>
  sentenceWith(WEBHOOK_SENTENCES[reason], {
    days: value,
    name: value,
    seconds: value,
    code: value,
    status: value,
  });

/** What a sentence of this server says; nothing for one of another version. */
export const readWebhookSentence = readerOf(WEBHOOK_SENTENCES, {
  days: '\\d+',
  name: '.*',
  seconds: '\\d+(?:\\.\\d+)?',
  code: '[^()]+',
  status: '\\d+',
});
