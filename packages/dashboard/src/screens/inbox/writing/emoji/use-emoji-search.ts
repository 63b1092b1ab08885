import { type KeyboardEvent, useState } from 'react';
import { store } from '../../../../storage.ts';
import { findEmoji, recentEmoji } from './emoji-search.ts';

/** As in the grid: `grid-cols-8` in `EmojiMenu.tsx`. */
const COLUMNS = 8;

interface EmojiSearch {
  q: string;
  search: (q: string) => void;
  /** The recent ones first while the search is empty. */
  found: readonly string[];
  /** The index of the one that Enter chooses. */
  at: number;
  press: (event: KeyboardEvent) => void;
}

/** The emoji that match the search, and the keys that move through them. */
export function useEmojiSearch(onChoose: (emoji: string) => void): EmojiSearch {
  const [q, setQ] = useState('');
  const [at, setAt] = useState(0);
  const [recent] = useState(() => recentEmoji(store));
  const found =
    q.trim() === '' ? [...recent, ...findEmoji('').filter((one) => !recent.includes(one))] : findEmoji(q);
  const press = (event: KeyboardEvent): void => {
    const isForward = getComputedStyle(event.currentTarget).direction !== 'rtl';
    // In a field with text, left and right move its caret.
    const side = q === '' ? (isForward ? 1 : -1) : 0;
    const steps: Record<string, number> = {
      ArrowRight: side,
      ArrowLeft: -side,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
    };
    const step = steps[event.key];
    const chosen = found[at];
    if (event.key === 'Enter' && chosen !== undefined && !event.nativeEvent.isComposing) onChoose(chosen);
    else if (step) setAt(Math.max(0, Math.min(found.length - 1, at + step)));
    else return;
    event.preventDefault();
  };
  const search = (next: string): void => {
    setQ(next);
    setAt(0);
  };
  return { q, search, found, at, press };
}
