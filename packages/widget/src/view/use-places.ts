import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Chat } from '../core/chat.ts';
import type { ConversationState, Place, View } from '../core/conversation.ts';

/** A visitor's position in a place: scroll offset and focused control. */
interface Spot {
  scrollTop: number;
  key: string | undefined;
}

export interface Places {
  go(place: Place): void;
  back(): void;
  /** The place's content is ready: moves the focus to where it belongs. */
  arrive(): void;
  /** The control that had the focus when the visitor left this place, if they have come back. */
  keyHere(): string | undefined;
}

/** A new chat stays the same place when its first message creates a session, and so does a search. */
const nameOf = (view: View): string => {
  if (view.name === 'chat') return view.openedAs;
  return view.name === 'article' ? `article ${view.slug}` : view.name;
};

/** Navigation between the panel's places: returning restores the scroll position and the focus. */
export const usePlaces = (
  chat: Chat,
  state: ConversationState,
  panel: RefObject<HTMLElement | null>,
): Places => {
  const { view } = state;
  const spots = useRef(new WeakMap<View, Spot>()).current;

  const comeBack = ({ scrollTop, key }: Spot): boolean => {
    const scroller = panel.current?.querySelector('[data-scroll]');
    if (scroller) scroller.scrollTop = scrollTop;
    const control = key && panel.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (!control) return false;
    // If no position was stored, as in a chat with new messages, it scrolls into view.
    control.focus({ preventScroll: Boolean(scroller) });
    return true;
  };
  const arrive = () => {
    if (!state.isOpen) return;
    const spot = spots.get(view);
    if (spot && comeBack(spot)) return;
    // A keyboard popping up on a phone would be in the way, unless the visitor came here to type.
    const isTouch = matchMedia('(pointer: coarse)').matches;
    const wanted = ['[data-first]', ...(isTouch ? [] : ['textarea']), '[data-focus]'];
    for (const selector of wanted) {
      const target = panel.current?.querySelector<HTMLElement>(selector);
      target?.focus({ preventScroll: true });
      if (target) return;
    }
  };
  useEffect(arrive, [nameOf(view), state.isOpen, state.site === null]);

  return {
    arrive,
    keyHere: () => spots.get(view)?.key,
    go(place) {
      const kept = document.activeElement?.closest<HTMLElement>('[data-key]');
      spots.set(view, {
        scrollTop: panel.current?.querySelector('[data-scroll]')?.scrollTop ?? 0,
        key: kept?.dataset.key,
      });
      chat.show(place);
    },
    back: () => chat.back(),
  };
};
