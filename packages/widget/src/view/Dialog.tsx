import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { adopt } from '../style/adopt.ts';
import style from '../style/dialog.css?inline';

adopt(style);

interface DialogProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

/** The browser's modal dialog traps the focus, but doesn't restore it when it is removed from the page. */
export const Dialog = ({ title, close, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onKey = (event: KeyboardEvent) => {
    // Closes only the dialog, not the panel around it.
    if (event.key === 'Escape') event.stopPropagation();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="dialog-title" onClose={close} onKeyDown={onKey}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
};
