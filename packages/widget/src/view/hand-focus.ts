/** Call it before removing a control: moves keyboard focus to the next one, or to the message box. */
export const handFocus = (from: HTMLElement, next?: HTMLElement | null): void => {
  if (from.matches(':focus-visible')) (next ?? document.querySelector('textarea'))?.focus();
};
