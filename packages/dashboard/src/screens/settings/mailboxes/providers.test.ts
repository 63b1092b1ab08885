import { contract } from '@foyer/protocol';
import { expect, test } from 'vitest';
import { guessProvider, PROVIDERS, providerOfHost } from './providers.ts';

test('the provider is guessed from the address, whatever its case', () => {
  expect(guessProvider('Help@GMAIL.com')).toBe('google');
  expect(guessProvider('laden@web.de')).toBe('web_de');
  expect(guessProvider('help@shop.example')).toBeUndefined();
  expect(guessProvider('help@')).toBeUndefined();
});

test('a stored server shows its provider', () => {
  expect(providerOfHost('imap.fastmail.com')).toBe('fastmail');
  expect(providerOfHost('imap.shop.example')).toBe('other');
});

test('a domain belongs to one provider, and its servers are accepted', () => {
  const domains = PROVIDERS.flatMap((provider) => [...provider.domains]);
  expect(new Set<string>(domains).size).toBe(domains.length);
  for (const { imap, smtp } of PROVIDERS) {
    const input = { address: 'a@shop.example', imap: { ...imap, user: 'a' }, smtp: { ...smtp, user: 'a' } };
    expect(contract['mailboxes.create'].input.safeParse(input).success).toBe(true);
  }
});
