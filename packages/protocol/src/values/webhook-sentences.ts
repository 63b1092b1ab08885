import type { Gaps } from './phrases.ts';
import { readerOf, sentenceWith } from './sentences.ts';

/** Requirements for an address, worded to follow a field's label. */
export const ADDRESS_PROBLEMS = {
  form: 'must be a URL such as https://example.com/hook',
  scheme: 'must start with https:// or http://',
  credentials: 'must not contain a user name or password',
  not_public: 'must resolve to a public address, not a private, local or reserved one',
} as const;

/**
 * Why a webhook was disabled, or an attempt failed. REST, the log and the database contain the English sentence;
 * the desk recognises and translates it. Stored rows keep their wording.
 */
export const WEBHOOK_SENTENCES = {
  failing: 'Every attempt failed for {days} days.',
  gone: 'The receiver answered 410 Gone.',
  switched_off: 'Disabled by {name}.',
  switched_off_api: 'Disabled over the API.',
  from_archive: 'Imported from an archive: rotate its secret, then enable it.',
  secret_unreadable: "The subscription's secret can't be decrypted: FOYER_SECRET has changed.",
  address_form: `The URL ${ADDRESS_PROBLEMS.form}.`,
  address_scheme: `The URL ${ADDRESS_PROBLEMS.scheme}.`,
  address_credentials: `The URL ${ADDRESS_PROBLEMS.credentials}.`,
  address_not_public: `The URL ${ADDRESS_PROBLEMS.not_public}.`,
  name_not_public: "The host name doesn't resolve to a public address.",
  name_unknown: "The host name couldn't be resolved.",
  name_servers_silent: "The host name couldn't be resolved: its name servers don't answer.",
  refused: 'The connection was refused.',
  cut: 'The connection was closed before the response was complete.',
  unreachable: "The receiver couldn't be reached.",
  too_late: 'No complete response within {seconds} s.',
  no_tls: "The receiver doesn't support TLS on this port.",
  certificate_name: 'The TLS certificate is for another host name.',
  certificate_expired: 'The TLS certificate has expired.',
  certificate_self_signed: 'The TLS certificate is self-signed.',
  certificate_unverified: "The TLS certificate couldn't be verified.",
  tls: 'The TLS connection failed ({code}).',
  headers_large: "The response's headers are too large.",
  not_http: "The response isn't valid HTTP.",
  redirect: 'The receiver answered {status}; redirects are not followed.',
  status: 'The receiver answered {status}.',
  failed: 'The request failed.',
  failed_code: 'The request failed ({code}).',
} as const;

type Sentences = typeof WEBHOOK_SENTENCES;
export type WebhookReason = keyof Sentences;

/** Reasons without a value. */
export type PlainWebhookReason = {
  [K in WebhookReason]: [Gaps<Sentences[K]>] extends [never] ? K : never;
}[WebhookReason];

type Filling<K extends WebhookReason> = K extends PlainWebhookReason ? [] : [value: string | number];

/** The sentence for a reason, with at most one placeholder. */
export const webhookSentence = <K extends WebhookReason>(reason: K, ...[value = '']: Filling<K>): string =>
  sentenceWith(WEBHOOK_SENTENCES[reason], {
    days: value,
    name: value,
    seconds: value,
    code: value,
    status: value,
  });

/** The meaning of a sentence; undefined for one from another version. */
export const readWebhookSentence = readerOf(WEBHOOK_SENTENCES, {
  days: '\\d+',
  name: '.*',
  seconds: '\\d+(?:\\.\\d+)?',
  code: '[^()]+',
  status: '\\d+',
});
