import { expect, test } from 'vitest';
import { contains, needleOf, REDACTED, redactAll, redactCopy, redactJson } from './needle.ts';

const needle = (text: string) => {
  const made = needleOf(text);
  if (!made) throw new Error('nothing to find');
  return made;
};

test.each([
  ['My card is 4111 1111.', '4111 1111', `My card is ${REDACTED}.`],
  ['> My card is\n> 4111\n> 1111', '4111 1111', `> My card is\n> ${REDACTED}`],
  ['It is **SECRET**-code', 'secret-code', `It is **${REDACTED}`],
  ['aaaa aab aab', 'aab', `aaaa ${REDACTED} ${REDACTED}`],
  ['ABABAC', 'abac', `AB${REDACTED}`],
  ['nothing here', 'secret', 'nothing here'],
  ['İstanbul 💳 gizli', '💳 GİZLİ'.toLowerCase(), 'İstanbul 💳 gizli'],
  ['İstanbul 💳 gizli', '💳 gizli', `İstanbul ${REDACTED}`],
])('%s without %s', (text, secret, redacted) => {
  expect(redactAll(text, needle(secret))).toBe(redacted);
});

test('an excerpt that ends in the middle of the text is recognised, a text that only ends like it isn’t changed', () => {
  const secret = needle('my secret number is 42');
  expect(redactCopy('He said: my secret nu…', secret, true)).toBe(`He said: ${REDACTED}…`);
  expect(redactCopy('“my secret…” – no answer.', secret, true)).toBe(`“${REDACTED}…” – no answer.`);
  expect(redactCopy('He said: my secret nu', secret)).toBe('He said: my secret nu');
  expect(redactCopy('What a my', secret, true)).toBe('What a my');
});

test('a very short text is redacted only in copies that consist of it', () => {
  expect(redactCopy('ok', needle('OK'))).toBe(REDACTED);
  expect(redactCopy('a token', needle('ok'))).toBe('a token');
});

test('a text of punctuation alone can’t be searched for', () => {
  expect(needleOf(' **\n> ')).toBeUndefined();
});

test('texts within JSON', () => {
  expect(redactJson({ a: ['my pin 9999', 7, null], b: { c: 'pin9999' } }, needle('pin 9999'))).toEqual({
    a: [`my ${REDACTED}`, 7, null],
    b: { c: REDACTED },
  });
});

test('long repetitive texts take linear time', () => {
  const long = 'a'.repeat(200_000);
  expect(contains(long, needle(`${'a'.repeat(20_000)}b`))).toBe(false);
  expect(redactAll(`${'a…'.repeat(50_000)}`, needle('a'.repeat(20_000)), true)).toContain('a…');
});
