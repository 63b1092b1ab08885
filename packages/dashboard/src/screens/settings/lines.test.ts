import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

test('lines, commas and blanks part what is listed; nothing is listed twice', () => {
  expect(linesOf(' https://a.example \n\nhttps://b.example, https://a.example')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
  expect(linesOf(' \n ')).toEqual([]);
});
