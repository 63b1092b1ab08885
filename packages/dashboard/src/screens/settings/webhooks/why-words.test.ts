import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../../language.ts';
import { whySaid } from './why-words.ts';

beforeAll(() => speak('de'));

test('a German desk says in German why a webhook was disabled and an attempt failed', () => {
  expect(whySaid(webhookSentence('failing', 5))).toBe('Seit 5 Tagen ist jeder Versuch fehlgeschlagen.');
  expect(whySaid(webhookSentence('switched_off', 'Ada {code}'))).toBe('Von Ada {code} ausgeschaltet.');
  expect(whySaid(webhookSentence('redirect', 302))).toContain('mit 302 geantwortet. Foyer folgt keinen');
});

test('a sentence of another version stays as it is', () =>
  expect(whySaid('The moon was in the way.')).toBe('The moon was in the way.'));
