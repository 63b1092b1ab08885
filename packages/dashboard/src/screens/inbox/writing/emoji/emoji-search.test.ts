import { EMOJI } from '@foyer/protocol/values/emoji';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../../storage.ts';
import { EMOJI_NAMES } from './emoji-names.ts';
import { findEmoji, noteEmoji, recentEmoji } from './emoji-search.ts';

test('every emoji can be found, and none is there twice', () => {
  expect(EMOJI.filter((emoji) => !EMOJI_NAMES[emoji])).toEqual([]);
  expect(new Set(EMOJI).size).toBe(EMOJI.length);
});

test('an emoji is found by beginnings of its words, in both languages', () => {
  expect(findEmoji('thumbs up')).toEqual(['👍']);
  expect(findEmoji('Daumen ho')).toEqual(['👍']);
  expect(findEmoji('paket')).toEqual(['📦']);
  expect(findEmoji('  ')).toBe(EMOJI);
  expect(findEmoji('nothing like it')).toEqual([]);
});

test('recently used ones come first, each once', () => {
  const store = memoryStore();
  for (const emoji of ['👍', '🔥', '👍']) noteEmoji(store, emoji);
  expect(recentEmoji(store)).toEqual(['👍', '🔥']);
  for (const emoji of EMOJI) noteEmoji(store, emoji);
  expect(recentEmoji(store)).toHaveLength(8);
});
