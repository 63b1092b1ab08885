import { EMOJI } from '@foyer/protocol/values/emoji';
import { readJson, type Store } from '../../../../storage.ts';
import { EMOJI_NAMES } from './emoji-names.ts';

const RECENT = 'foyer.emoji';
const RECENT_MOST = 8;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The emoji last chosen in this browser, latest first. */
export const recentEmoji = (store: Store): string[] =>
  (readJson(store, RECENT, isTexts) ?? []).filter((one) => EMOJI.includes(one)).slice(0, RECENT_MOST);

export function noteEmoji(store: Store, emoji: string): void {
  const others = recentEmoji(store).filter((one) => one !== emoji);
  store.setItem(RECENT, JSON.stringify([emoji, ...others].slice(0, RECENT_MOST)));
}

/** The emoji for which each word of the search begins one of their names. */
export function findEmoji(q: string): readonly string[] {
  const wanted = q.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return EMOJI;
  return EMOJI.filter((emoji) => {
    const words = EMOJI_NAMES[emoji]?.split(' ') ?? [];
    return wanted.every((one) => words.some((word) => word.startsWith(one)));
  });
}
