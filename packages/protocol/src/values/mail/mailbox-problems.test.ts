import { expect, test } from 'vitest';
import { failedStep, mailboxProblem, readMailboxProblem, SERVER_SAYS } from './mailbox-problems.ts';

test('a problem is parsed into its values and the server’s message', () => {
  const answer = `${SERVER_SAYS}[AUTHENTICATIONFAILED] Invalid. Try (again).`;
  const sentence = mailboxProblem('login', { host: 'imap.shop.example', user: 'help with us', answer });
  expect(readMailboxProblem(sentence)).toEqual({
    reason: 'login',
    values: { host: 'imap.shop.example', user: 'help with us', answer },
  });
  expect(failedStep(sentence)).toBe('login');
});

test('a problem without a message of the server has an empty answer', () => {
  const sentence = mailboxProblem('folder', { host: 'imap.shop.example', folder: 'In (box)', answer: '' });
  expect(readMailboxProblem(sentence)?.values).toEqual({
    host: 'imap.shop.example',
    folder: 'In (box)',
    answer: '',
  });
});

test('an error without a known sentence has no step', () => {
  expect(failedStep('IMAP: Unexpected close')).toBeUndefined();
});
