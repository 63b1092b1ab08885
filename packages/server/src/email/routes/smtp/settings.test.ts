import { expect, it } from 'vitest';
import { readMailServerSettings } from './settings.ts';

it('there is no mail server without a port', () => {
  expect(readMailServerSettings({})).toBeUndefined();
  expect(readMailServerSettings({ FOYER_MAIL_PORT: '2525' })).toEqual({
    port: 2525,
    host: '0.0.0.0',
    tls: undefined,
  });
});

it.each([
  [{ FOYER_MAIL_PORT: 'smtp' }, 'FOYER_MAIL_PORT=smtp is invalid'],
  [{ FOYER_MAIL_PORT: '70000' }, 'FOYER_MAIL_PORT=70000 is invalid'],
  [{ FOYER_MAIL_PORT: '25', FOYER_MAIL_TLS_CERT: 'c.pem' }, 'set both'],
])('%o is refused', (env, message) => {
  expect(() => readMailServerSettings(env)).toThrow(message);
});
