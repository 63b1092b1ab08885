import { expect, test } from 'vitest';
import { isEasyPassword } from './easy-passwords.ts';

const ADA = ['ada.winter@shop.example', 'Ada Winter', 'Lantern & Loom'];

test.each([
  'aaaaaaaaaa',
  'abcabcabcabc',
  '1234567890',
  '1q2w3e4r5t',
  'qwertyuiop',
  'qwertzuiop1',
  'zyxwvutsrq',
  'password123',
  'Password2024!',
  'P@ssw0rd123!',
  'password password',
  'iloveyou12345',
  'correct horse battery staple',
  'ada.winter@shop.example',
  'AdaWinter2024',
  'lantern-loom-1',
])('%s is too easy', async (password) => {
  expect(await isEasyPassword(password, ADA)).toBe(true);
});

test.each([
  'correct horse battery',
  'a long password',
  'lamp shade in march',
  'x7#kQ9!vLp',
  'k#9$!x@%&*',
  'michael8361947',
  'Ada keeps seven green lanterns',
])('%s is not', async (password) => {
  expect(await isEasyPassword(password, ADA)).toBe(false);
});
