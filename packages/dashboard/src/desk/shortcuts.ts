import { useEffect, useRef } from 'react';
import type { BaseWord } from '../base.ts';

export interface Shortcut {
  keys: string;
  does: BaseWord;
}

/** Everything that has a shortcut, for the sheet on `?`. */
export const SHORTCUTS: { title: BaseWord; list: Shortcut[] }[] = [
  {
    title: 'keys_everywhere',
    list: [
      { keys: 'Ctrl K', does: 'keys_palette' },
      { keys: '?', does: 'keys_sheet' },
      { keys: 'Esc', does: 'keys_close' },
    ],
  },
  {
    title: 'keys_inbox',
    list: [
      { keys: 'j', does: 'keys_next' },
      { keys: 'k', does: 'keys_before' },
      { keys: '/', does: 'keys_search' },
      { keys: 'a', does: 'keys_join' },
      { keys: 'r', does: 'keys_reply' },
      { keys: 'n', does: 'keys_note' },
      { keys: 't', does: 'keys_hand_over' },
      { keys: 'i', does: 'keys_make_ticket' },
      { keys: 'g', does: 'keys_suggest' },
      { keys: 'm', does: 'keys_macro' },
      { keys: 'e', does: 'keys_done' },
      { keys: 'Enter', does: 'keys_send_chat' },
      { keys: 'Shift Enter', does: 'keys_new_line' },
    ],
  },
  {
    title: 'keys_ticket',
    list: [
      { keys: 'z', does: 'keys_snooze' },
      { keys: 'm', does: 'keys_macro' },
      { keys: 'u', does: 'keys_undo' },
      { keys: 'Ctrl Enter', does: 'keys_send' },
      { keys: 'Alt ↑', does: 'keys_move_view' },
    ],
  },
];

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const hasLayer = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** Runs single keys while nobody is writing and nothing lies on top. */
export function useShortcuts(actions: Record<string, (() => void) | undefined>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const act = latest.current[event.key];
      if (!act || isWriting(event.target) || hasLayer()) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
