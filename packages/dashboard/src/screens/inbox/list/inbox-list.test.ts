import type { Session, TicketSummary } from '@foyer/protocol';
import { expect, test } from 'vitest';
import { chatItem, mergeSources, type Source, ticketItem } from './inbox-list.ts';

const chat = (minute: number) =>
  chatItem(
    {
      session_id: `ses_${minute}`,
      started_utc: new Date(Date.UTC(2026, 2, 10, 10, minute)).toISOString(),
    } as Session,
    [-minute],
  );
const ticket = (minute: number) => ticketItem({ id: minute } as TicketSummary, [-minute]);
const source = (hasMore: boolean, ...items: Source['items']): Source => ({ items, hasMore });
const keys = (sources: Source[]): string[] => mergeSources(sources).items.map(({ key }) => key);

test('two lists are merged, newest first', () => {
  expect(keys([source(false, chat(9), chat(3)), source(false, ticket(5), ticket(1))])).toEqual([
    'ses_9',
    'ticket 5',
    'ses_3',
    'ticket 1',
  ]);
});

test('a row that has moved since its page was loaded is sorted into its new place', () => {
  expect(keys([source(false, chat(3), chat(9), chat(1))])).toEqual(['ses_9', 'ses_3', 'ses_1']);
});

test('rows that might follow one that is not loaded yet are held back', () => {
  const sources = [source(true, chat(9), chat(6)), source(true, ticket(8), ticket(2))];
  expect(keys(sources)).toEqual(['ses_9', 'ticket 8', 'ses_6']);
  expect(mergeSources(sources).behind).toEqual([0]);
});

test('a completely loaded list holds nothing back', () => {
  const sources = [source(false, chat(1)), source(true, ticket(8), ticket(5))];
  expect(keys(sources)).toEqual(['ticket 8', 'ticket 5']);
  expect(mergeSources(sources).behind).toEqual([1]);
  expect(mergeSources([source(false), source(false)])).toEqual({ items: [], behind: [] });
});

test('a list without any loaded rows holds everything back', () => {
  expect(mergeSources([source(true), source(false, ticket(8))])).toEqual({ items: [], behind: [0] });
});
