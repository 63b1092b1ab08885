import { expect, it } from 'vitest';
import { keyOfPath, pathOfKey } from './visitor-path.ts';

it('a key that is also the name of a page is escaped in its path, and every other is not', () => {
  for (const key of [
    'here',
    'segments',
    '~here',
    '~~segments',
    '.',
    '..',
    'user_1',
    '~user',
    'here~',
    'Segments',
  ])
    expect(keyOfPath(pathOfKey(key))).toBe(key);
  expect(pathOfKey('here')).toBe('~here');
  for (const key of ['user_1', '~user', 'heretic']) expect(pathOfKey(key)).toBe(key);
});
