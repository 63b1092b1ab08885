import { scryptSync } from 'node:crypto';
import { hashPassword as hashByLibrary, verifyPassword as verifyByLibrary } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { hashPassword, isPassword } from './password-hash.ts';

const WORDS = 'pässwörd ﬁne';

test('reads hashes of better-auth, which reads ours', async () => {
  const theirs = await hashByLibrary(WORDS);
  expect(await isPassword(theirs, WORDS)).toBe(true);
  expect(await isPassword(theirs, `${WORDS} `)).toBe(false);
  const ours = await hashPassword(WORDS);
  expect(await verifyByLibrary({ hash: ours, password: WORDS })).toBe(true);
  expect(ours).not.toBe(await hashPassword(WORDS));
});

test('a hash of another form matches no password', async () => {
  const key = 'ab'.repeat(64);
  for (const hash of [
    '',
    'salt',
    'salt:',
    `salt:${key.slice(2)}`,
    `md5:4:8:1:salt:${key}`,
    `4:8:1:salt:${key}`,
  ])
    await expect(isPassword(hash, WORDS)).rejects.toThrow('unknown form');
  // Parameters that would take gigabytes of memory are refused before they do.
  await expect(isPassword(`scrypt:24:8:1:salt:${key}`, WORDS)).rejects.toThrow(/memory/i);
});

test('a password that would wait too long is refused, and the next one after it is checked', async () => {
  const cheap = `scrypt:4:8:1:salt:${scryptSync('words', 'salt', 64, { N: 2 ** 4, r: 8, p: 1 }).toString('hex')}`;
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => isPassword(cheap, 'words')));
  const checked = results.filter((result) => result.status === 'fulfilled');
  const refused = results.filter((result) => result.status === 'rejected');
  // One or two run, fifty wait.
  expect([51, 52]).toContain(checked.length);
  expect(checked.every(({ value }) => value)).toBe(true);
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(AppError);
    expect(reason).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '5' } });
  }
  expect(await isPassword(cheap, 'words')).toBe(true);
});
