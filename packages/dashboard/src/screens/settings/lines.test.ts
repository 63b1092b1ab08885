import { beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../api.ts';
import { speak } from '../../language.ts';
import { faultOfLines, linesOf, phrasesOf } from './lines.ts';

beforeAll(() => speak('en'));

test('line breaks, commas and spaces separate entries; duplicates are removed', () => {
  expect(linesOf(' https://a.example \n\nhttps://b.example, https://a.example')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
  expect(linesOf(' \n ')).toEqual([]);
});

test('each line is a phrase, with its spaces and commas; duplicates are removed', () => {
  expect(phrasesOf(' refund\nmoney back, now\n\nrefund\n')).toEqual(['refund', 'money back, now']);
});

test('a refused line is named, and a refused list by its label', () => {
  const list = { text: 'https://a.example\nnonsense', label: 'Origins', path: 'origins' };
  const refusedAt = (path: string) =>
    new ApiError('invalid_input', 'Refused', 'req_1', [{ path, message: 'must be an origin' }]);
  expect(faultOfLines(list, refusedAt('origins.1'))).toBe('“nonsense” must be an origin');
  expect(faultOfLines(list, refusedAt('origins'))).toBe('Origins must be an origin');
  expect(faultOfLines(list, refusedAt('name'))).toBeUndefined();
});
