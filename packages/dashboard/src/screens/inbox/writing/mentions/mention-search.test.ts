import { expect, test } from 'vitest';
import { mentionSearch, namedLike } from './mention-search.ts';

const found = (text: string) => mentionSearch(text, text.length);

test('an @ at the beginning of a word searches for a name, up to the caret', () => {
  expect(found('@')).toEqual({ from: 0, q: '' });
  expect(found('ask @Mar')).toEqual({ from: 4, q: 'Mar' });
  expect(found('ask @Mara Lind')).toEqual({ from: 4, q: 'Mara Lind' });
  expect(mentionSearch('ask @Mara now', 7)).toEqual({ from: 4, q: 'Ma' });
});

test('an address, a finished line and a continued sentence search for nobody', () => {
  for (const text of [
    'mail mara@shop',
    'no at',
    '@Mara\n',
    '@ ',
    '@Mara can you see to it',
    `@${'x'.repeat(80)}`,
  ])
    expect(found(text), text).toBeNull();
});

test('a name is found by the beginning of each of its words, in whatever case', () => {
  const team = [{ name: 'Mara Lindqvist' }, { name: 'Ömer Şahin' }, { name: 'Ben' }];
  expect(namedLike(team, 'lin')).toEqual([team[0]]);
  expect(namedLike(team, 'öm')).toEqual([team[1]]);
  expect(namedLike(team, 'mara l')).toEqual([team[0]]);
  expect(namedLike(team, 'ara')).toEqual([]);
  expect(namedLike(team, '')).toEqual(team);
});
