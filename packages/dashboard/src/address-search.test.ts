import { expect, test } from 'vitest';
import { idOf, textOf } from './address-search.ts';
import { readInboxSearch } from './screens/inbox/list/inbox-search.ts';

test('invalid values in an address are ignored', () => {
  const search = { queue: 'everything', view: '-1', q: ' ', status: 'lost', assignee: [1], tag: {} };
  expect(readInboxSearch(search)).toEqual({});
  expect(readInboxSearch({ queue: 'mine', q: 42 })).toEqual({ queue: 'mine', q: '42' });
  expect(idOf('99999999999999999999')).toBeUndefined();
});

test('a text is cut at the server’s limit, between characters', () => {
  expect(textOf('x'.repeat(300))).toHaveLength(200);
  expect(readInboxSearch({ tag: 'x'.repeat(300) }).tag).toHaveLength(50);
  const cut = textOf(`\0${'x'.repeat(199)}😀`);
  expect([cut?.length, cut?.isWellFormed(), cut?.includes('\0')]).toEqual([200, true, false]);
});
