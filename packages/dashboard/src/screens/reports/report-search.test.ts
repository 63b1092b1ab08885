import { expect, test } from 'vitest';
import { lastDays } from './filters/last-days.ts';
import { figureOf, readReportSearch, spanOf, spanOfFigure, withoutFigure } from './report-search.ts';

test('an address without parameters is the volume of 30 days', () => {
  expect(readReportSearch({})).toEqual({});
  expect(spanOf({})).toEqual({ range: '30d' });
});

test('valid parameters of an address are kept, invalid ones are dropped', () => {
  const days = { range: 'custom', from: '2026-03-01', to: '2026-03-31' } as const;
  const search = { report: 'bot', ...days, of_team: '7', rating: '2' };
  expect(readReportSearch(search)).toEqual({ ...search, of_team: 7, rating: 2 });
  expect(spanOf(readReportSearch(search))).toEqual({ ...days, team_id: 7 });
  expect(spanOf({ ...days, report: 'teams', of_team: 7 })).toEqual(days);
  expect(
    readReportSearch({ report: 'comments', range: 'year', from: 'x', rating: 6, of_team: 'none' }),
  ).toEqual({});
  expect(readReportSearch({ range: '7d', from: '2026-03-01' })).toEqual({ range: '7d' });
});

test('dates that are invalid, in the wrong order or too far apart request nothing', () => {
  const custom = (from: string, to: string) => spanOf({ range: 'custom', from, to });
  expect(custom('2026-03-01', '2026-03-01')).toEqual({
    range: 'custom',
    from: '2026-03-01',
    to: '2026-03-01',
  });
  expect(custom('2026-03-02', '2026-03-01')).toBeUndefined();
  expect(custom('2024-03-02', '2026-03-01')).toBeUndefined();
  expect(spanOf({ range: 'custom', from: '2026-03-01' })).toBeUndefined();
});

test('the last days are those of the time zone, also over a change of clocks', () => {
  expect(lastDays(14, 'Pacific/Auckland', Date.parse('2026-03-10T20:00:00Z'))).toEqual({
    from: '2026-02-26',
    to: '2026-03-11',
  });
  expect(lastDays(2, 'Europe/Berlin', Date.parse('2026-10-25T22:30:00Z'))).toEqual({
    from: '2026-10-24',
    to: '2026-10-25',
  });
});

test('a figure in an address is parsed as far as it is valid; without it the report remains', () => {
  const figure = { show: 'ratings', of: '7', part: 5, day: '2026-03-30', days: 3 } as const;
  const search = readReportSearch({ report: 'agents', ...figure, of: 7, part: '5', days: '3' });
  expect(search).toEqual({ report: 'agents', ...figure });
  expect(figureOf(search)).toEqual(figure);
  expect(spanOfFigure(figure, { range: '7d', team_id: 7 })).toMatchObject({ team_id: 7 });
  expect(withoutFigure(search)).toEqual({ report: 'agents' });
  expect(spanOfFigure(figure, { range: '7d' })).toEqual({
    range: 'custom',
    from: '2026-03-30',
    to: '2026-04-01',
  });
  expect(readReportSearch({ show: 'messages', of: 'x', day: '2026-03-30' })).toEqual({});
  const odd = { show: 'chats', of: '', part: 24, weekday: 0, day: 'today', days: 7 };
  expect(readReportSearch(odd)).toEqual({ show: 'chats' });
  expect(spanOfFigure({ show: 'chats' }, { range: '7d' })).toEqual({ range: '7d' });
});
