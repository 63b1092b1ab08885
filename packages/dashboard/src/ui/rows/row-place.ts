import { type FocusEvent, useEffect } from 'react';

const PRESSED = 'a[href], button:not(:disabled)';

/** What had the focus last within a row of a list. */
let had: { element: Element; at: number; list: Element; heading: HTMLElement | null } | undefined;

const keep = ({ currentTarget: list, target }: FocusEvent): void => {
  const at = [...list.children].findIndex((row) => row.contains(target));
  // What lies over the page is not in the row that has opened it.
  if (at !== -1) had = { element: target, at, list, heading: document.querySelector('h1') };
};

/** The rows of a list from the one at a place on, then those before it, the nearest first. */
export const rowsFrom = <Row>(rows: readonly Row[], at: number): Row[] => [
  ...rows.slice(at),
  ...rows.slice(0, at).reverse(),
];

/**
 * Where the focus goes when what had it in a row is gone: to the end of the row that stands in its place now, or to one
 * before it; without rows to the page's heading. Undefined while it is there, and once the page is another.
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

/** Of a list: whoever deletes a row from its own menu or button is not left nowhere. */
export function useRowPlace(): { onFocus: (event: FocusEvent) => void } {
  useEffect(() => {
    goThere();
    return goThere;
  });
  return { onFocus: keep };
}
