import { useEffect, useRef } from 'react';

export interface Shortcut {
  keys: string;
  does: string;
}

/** Everything that has a shortcut, for the sheet on `?`. */
export const SHORTCUTS: { title: string; list: Shortcut[] }[] = [
  {
    title: 'Everywhere',
    list: [
      { keys: 'Ctrl K', does: 'Go to a page or find a chat' },
      { keys: '?', does: 'Show this sheet' },
      { keys: 'Esc', does: 'Close what is on top' },
    ],
  },
  {
    title: 'In the inbox',
    list: [
      { keys: 'j', does: 'Next in the list' },
      { keys: 'k', does: 'The one before' },
      { keys: '/', does: 'Search everything' },
      { keys: 'a', does: 'Join the chat' },
      { keys: 'r', does: 'Write a reply' },
      { keys: 'n', does: 'Write a note' },
      { keys: 't', does: 'Hand the chat to a colleague' },
      { keys: 'i', does: 'Make a ticket of the chat' },
      { keys: 'g', does: 'Suggest a reply' },
      { keys: 'e', does: 'Close the chat, solve the ticket' },
      { keys: 'Enter', does: 'Send in a chat' },
      { keys: 'Shift Enter', does: 'Begin a new line in a chat' },
    ],
  },
  {
    title: 'In a ticket',
    list: [
      { keys: 'z', does: 'Snooze' },
      { keys: 'm', does: 'Choose a macro' },
      { keys: 'u', does: 'Take back what was done last' },
      { keys: 'Ctrl Enter', does: 'Send' },
      { keys: 'Alt ↑', does: 'Move a view up in the list of views' },
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
