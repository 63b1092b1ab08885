import { expect, it } from 'vitest';
import { readInboxSearch } from '../list/inbox-search.ts';
import { allOf, NOTHING, rangeTo, targetOfSearch, toggled } from './selection.ts';

const LISTED = ['a', 'b', 'c', 'd', 'e'];
const keysOf = ({ keys }: { keys: ReadonlySet<string> }): string[] => [...keys].toSorted();

it('toggling a row selects and deselects it', () => {
  const one = toggled(NOTHING, 'b');
  expect(keysOf(one)).toEqual(['b']);
  expect(keysOf(toggled(one, 'b'))).toEqual([]);
});

it('a range goes from the last selected row, up or down, and keeps the selection', () => {
  const down = rangeTo(toggled(NOTHING, 'b'), LISTED, 'd');
  expect(keysOf(down)).toEqual(['b', 'c', 'd']);
  expect(keysOf(rangeTo(toggled(down, 'e'), LISTED, 'a'))).toEqual(LISTED);
});

it('a new range begins if the first row of the old one has left the list', () => {
  expect(keysOf(rangeTo({ ...NOTHING, anchor: 'gone' }, LISTED, 'c'))).toEqual(['c']);
  expect(keysOf(rangeTo(NOTHING, LISTED, 'unknown'))).toEqual([]);
});

it('deselecting a row ends the selection of everything that matches', () => {
  expect(toggled({ ...allOf(LISTED), isAll: true }, 'c').isAll).toBe(false);
});

it('the target of a bulk change follows the address', () => {
  expect(targetOfSearch(readInboxSearch({}))).toEqual({ queue: 'waiting' });
  expect(targetOfSearch(readInboxSearch({ q: 'lamp', assignee: 'none' }))).toEqual({
    search: { q: 'lamp', assignee_id: 'none' },
  });
  expect(targetOfSearch(readInboxSearch({ queue: 'open', tag: 'returns' }))).toEqual({
    list: { queue: 'open', tag: 'returns' },
  });
  expect(targetOfSearch(readInboxSearch({ page: '/cart' }))).toEqual({ list: { page: '/cart' } });
  expect(targetOfSearch(readInboxSearch({ view: 3, tag: 'returns' }))).toEqual({
    search: { view: 3, tag: 'returns' },
  });
});
