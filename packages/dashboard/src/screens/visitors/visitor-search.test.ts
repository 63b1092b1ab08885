import { expect, test } from 'vitest';
import { filterOf, filtersIn, readVisitorSearch, withoutFilter, withoutFilters } from './visitor-search.ts';

const NOW = Date.parse('2026-03-10T12:00:30Z');

test('an address is parsed as far as it is valid', () => {
  const odd = {
    q: '',
    segment: '-1',
    identity: 'both',
    verified: 'yes',
    last: 'gone',
    value: 'pro',
    sort: 'x',
  };
  expect(readVisitorSearch(odd)).toEqual({ verified: 'yes', last: 'gone' });
  expect(readVisitorSearch({ attribute: 'seats', value: 3, segment: 7 })).toEqual({
    attribute: 'seats',
    value: '3',
    segment: 7,
  });
});

test('a searched value is cut at the server’s limit', () => {
  const value = 'v'.repeat(500);
  expect(readVisitorSearch({ attribute: 'plan', value: `${value}cut` })).toMatchObject({ value });
});

test('the request follows the address, to the minute', () => {
  const search = readVisitorSearch({
    first: '24h',
    last: '7d',
    email: 'no',
    attribute: 'plan',
    sort: 'created',
  });
  expect(filterOf(search, NOW)).toEqual({
    first_seen_since: '2026-03-09T12:00:00.000Z',
    last_seen_since: '2026-03-03T12:00:00.000Z',
    has_email: false,
    attribute: { name: 'plan' },
  });
  expect(filterOf({ last: 'gone' }, NOW)).toEqual({ last_seen_until: '2026-02-08T12:00:00.000Z' });
});

test('a filter is removed with its dependent values, and the search and the order stay', () => {
  const search = readVisitorSearch({
    q: 'ann',
    attribute: 'plan',
    value: 'pro',
    blocked: 'no',
    sort: 'created',
  });
  expect(filtersIn(search)).toEqual(['blocked', 'attribute']);
  expect(withoutFilter(search, 'attribute')).toEqual({ q: 'ann', blocked: 'no', sort: 'created' });
  expect(withoutFilters(search)).toEqual({ q: 'ann', sort: 'created' });
});
