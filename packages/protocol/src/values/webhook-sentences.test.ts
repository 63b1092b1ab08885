import { expect, test } from 'vitest';
import {
  readWebhookSentence,
  WEBHOOK_SENTENCES,
  type WebhookReason,
  webhookSentence,
} from './webhook-sentences.ts';

const plain = Object.entries(WEBHOOK_SENTENCES).filter(([, sentence]) => !sentence.includes('{'));

test.each(plain)('%s is parsed from its sentence', (reason, sentence) =>
  expect(readWebhookSentence(sentence)).toEqual({ reason, values: {} }),
);

test.each<[WebhookReason, string, string]>([
  ['failing', webhookSentence('failing', 5), 'days'],
  ['switched_off', webhookSentence('switched_off', 5), 'name'],
  ['too_late', webhookSentence('too_late', 5), 'seconds'],
  ['tls', webhookSentence('tls', 5), 'code'],
  ['failed_code', webhookSentence('failed_code', 5), 'code'],
  ['redirect', webhookSentence('redirect', 5), 'status'],
  ['status', webhookSentence('status', 5), 'status'],
])('%s is parsed with its value', (reason, sentence, gap) =>
  expect(readWebhookSentence(sentence)).toEqual({ reason, values: { [gap]: '5' } }),
);

test('no sentence has two placeholders, and each with one is tested above', () => {
  const gaps = Object.values(WEBHOOK_SENTENCES).map((sentence) => sentence.split('{').length - 1);
  expect(gaps.filter((count) => count > 0)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

test('a name is parsed exactly, whatever is in it', () => {
  const name = 'A. “$&” {code}\nover the API.';
  expect(readWebhookSentence(webhookSentence('switched_off', name))?.values).toEqual({ name });
});

test.each(['', 'The receiver answered many.', 'The receiver answered.', 'Something new went wrong.'])(
  'what the server did not say is not read: “%s”',
  (sentence) => expect(readWebhookSentence(sentence)).toBeUndefined(),
);
