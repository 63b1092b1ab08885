import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../../language.ts';
import { deviceName } from './device-name.ts';

beforeAll(() => speak('en'));

test('a browser is named with its system', () => {
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36')).toBe(
    'Chrome on Linux',
  );
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Version/18 Safari/604.1')).toBe(
    'Safari on iOS',
  );
});

test('an unrecognised user agent is unknown', () => {
  expect(deviceName('')).toBe('Unknown device');
  expect(deviceName('curl/8')).toBe('Unknown device');
});
