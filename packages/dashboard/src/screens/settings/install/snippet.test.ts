import { expect, test } from 'vitest';
import { snippet } from './snippet.ts';

test('the snippet is the queue’s line, then the script with the site’s key', () => {
  expect(snippet('https://chat.example', 'pk_1').split('\n')).toEqual([
    '<script>window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)}</script>',
    '<script async src="https://chat.example/assets/js/visitor-sdk.js" data-site="pk_1"></script>',
  ]);
});

test('nothing can break out of the attributes', () => {
  expect(snippet('https://chat.example', '"><script>')).not.toContain('"><script>"');
});
