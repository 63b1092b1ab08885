import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Chat } from '../core/chat.ts';
import type { ConversationState, Place, View } from '../core/conversation.ts';

/** Where a visitor was in a place: how far down, and on which control. */
interface Spot {
  scrollTop: number;
  key: string | undefined;
}

export interface Places {
  go(place: Place): void;
  back(): void;
  /** What belongs to this place is there now: the focus goes where it should be. */
  arrive(): void;
  /** The control on which the visitor was here, if they have come back. */
  keyHere(): string | undefined;
}

/** A new chat stays the same place when its first message makes a session of it; so does a search. */
const nameOf = (view: View): string => {
  if (view.name === 'chat') return view.openedAs;
  return view.name === 'article' ? `article ${view.slug}` : view.name;
};

/** Ways between the places of the panel: whoever comes back finds the place, and the focus, as it was left. */
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
    // Where no place was kept, such as in a chat, which goes on, it comes into view.
    control.focus({ preventScroll: Boolean(scroller) });
    return true;
  };
  const arrive = () => {
    if (!state.isOpen) return;
    const spot = spots.get(view);
    if (spot && comeBack(spot)) return;
    // A keyboard that jumps up on a phone would be in the way, unless one came here to type.
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
