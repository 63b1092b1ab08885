import { expect, test } from 'vitest';
import { memoryStore } from '../storage.ts';
import { Drafts } from './drafts.ts';

test('a draft is kept for each chat, reply and note apart, over a reload', () => {
  const store = memoryStore();
  new Drafts(store, 1).change('a', { reply: 'Hello', note: 'careful', tab: 'note' });
  const again = new Drafts(store, 1);
  expect(again.get('a')).toEqual({ reply: 'Hello', note: 'careful', tab: 'note' });
  expect(again.get('b')).toEqual({ reply: '', note: '', tab: 'reply' });
});

test('another agent on the same machine does not see it', () => {
  const store = memoryStore();
  new Drafts(store, 1).change('a', { reply: 'Hello', note: '', tab: 'reply' });
  expect(new Drafts(store, 2).get('a').reply).toBe('');
});

test('an emptied draft leaves nothing behind', () => {
  const store = memoryStore();
  const drafts = new Drafts(store, 1);
  drafts.change('a', { reply: 'Hello', note: '', tab: 'reply' });
  drafts.change('a', { reply: '  ', note: '', tab: 'reply' });
  expect(store.getItem('foyer.1.draft.a')).toBeNull();
});

test('what is no draft counts as none', () => {
  const store = memoryStore();
  for (const text of ['{', 'null', '[]', '{"reply":1,"note":"","tab":"reply"}']) {
    store.setItem('foyer.1.draft.a', text);
    expect(new Drafts(store, 1).get('a').reply).toBe('');
  }
});

test('whoever reads a draft hears of its changes, and of no other', () => {
  const drafts = new Drafts(memoryStore(), 1);
  const heard: string[] = [];
  const leave = drafts.subscribe('a', () => heard.push(drafts.get('a').reply));
  drafts.change('a', { reply: 'Hel' });
  drafts.change('b', { reply: 'Good' });
  drafts.change('a', { reply: 'Hello' });
  leave();
  drafts.change('a', { reply: '' });
  expect(heard).toEqual(['Hel', 'Hello']);
});
