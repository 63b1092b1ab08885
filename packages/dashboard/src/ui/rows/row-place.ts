import { type FocusEvent, useEffect } from 'react';

const PRESSED = 'a[href], button:not(:disabled)';

/** The element in a list row that last had the focus. */
let had: { element: Element; at: number; list: Element; heading: HTMLElement | null } | undefined;

const keep = ({ currentTarget: list, target }: FocusEvent): void => {
  const at = [...list.children].findIndex((row) => row.contains(target));
  // An overlay isn't inside the row that opened it.
  if (at !== -1) had = { element: target, at, list, heading: document.querySelector('h1') };
};

/** The rows from an index on, then those before it, nearest first. */
export const rowsFrom = <Row>(rows: readonly Row[], at: number): Row[] => [
  ...rows.slice(at),
  ...rows.slice(0, at).reverse(),
];

/**
 * Where the focus goes when its row has disappeared: to the row now in its place, or one before it; without rows,
 * to the page's heading. Undefined while the element exists, and after leaving the page.
 */
export function placeOfRow(): HTMLElement | undefined {
  if (!had || had.element.isConnected) return undefined;
  const { at, list, heading } = had;
  const rows = list.isConnected ? [...list.children] : [];
  for (const row of rowsFrom(rows, at)) {
    const pressed = [...row.querySelectorAll<HTMLElement>(PRESSED)].at(-1);
    if (pressed) return pressed;
  }
  if (!heading?.isConnected) return undefined;
  heading.tabIndex = -1;
  return heading;
}

const goThere = (): void => {
  if (document.activeElement === document.body) placeOfRow()?.focus();
};

/** For a list: deleting a row from its own menu or button doesn't lose the focus. */
export function useRowPlace(): { onFocus: (event: FocusEvent) => void } {
  useEffect(() => {
    goThere();
    return goThere;
  });
  return { onFocus: keep };
}
