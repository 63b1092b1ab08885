/** Before a control goes away: who came to it by keyboard goes on at the next one, or where one writes. */
export const handFocus = (from: HTMLElement, next?: HTMLElement | null): void => {
  if (from.matches(':focus-visible')) (next ?? document.querySelector('textarea'))?.focus();
};
