import { expect, it } from 'vitest';
import { createMailProviders } from './providers.ts';
import { readMailSignIn } from './settings.ts';

it('a client needs both its ID and its secret', () => {
  expect(readMailSignIn({})).toEqual({ google: undefined, microsoft: undefined, microsoftTenant: 'common' });
  expect(() => readMailSignIn({ FOYER_GOOGLE_CLIENT_ID: 'id' })).toThrow(
    'FOYER_GOOGLE_CLIENT_SECRET is missing',
  );
  expect(() => readMailSignIn({ FOYER_MICROSOFT_CLIENT_SECRET: 'secret' })).toThrow(
    'FOYER_MICROSOFT_CLIENT_ID is missing',
  );
});

it('accounts of one tenant sign in at its own address', () => {
  const settings = readMailSignIn({ FOYER_MICROSOFT_TENANT: 'shop.example' });
  const { microsoft } = createMailProviders(settings, fetch);
  expect(microsoft.authorizeUrl).toBe('https://login.microsoftonline.com/shop.example/oauth2/v2.0/authorize');
  expect(microsoft.tokenUrl).toBe('https://login.microsoftonline.com/shop.example/oauth2/v2.0/token');
  expect(() => readMailSignIn({ FOYER_MICROSOFT_TENANT: '../evil' })).toThrow(
    'FOYER_MICROSOFT_TENANT is invalid',
  );
});
