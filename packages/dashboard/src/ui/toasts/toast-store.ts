import { ApiError } from '../../api.ts';

interface Toast {
  id: number;
  kind: 'done' | 'error';
  title: string;
  text: string;
  requestId: string;
  /** Undoes the change, as long as the message is shown. */
  undo?: () => void;
}

const SHOWN_MS = 4000;
/** Long enough to notice a mistake and to reach the button by keyboard. */
const UNDO_SHOWN_MS = 10_000;
const MOST = 3;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let nextId = 1;

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** The toasts on the screen, oldest first. */
export const currentToasts = (): readonly Toast[] => toasts;

/** Calls back on every change. @returns a function that stops it */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Removes a toast, if it is still there. */
export const dismiss = (id: number): void => put(toasts.filter((toast) => toast.id !== id));

function add(toast: Omit<Toast, 'id'>): number {
  const id = nextId++;
  put([...toasts, { ...toast, id }].slice(-MOST));
  return id;
}

/** Short messages over the page. */
export const toast = {
  /** Something was done. Disappears automatically. */
  success(title: string): void {
    const id = add({ kind: 'done', title, text: '', requestId: '' });
    setTimeout(() => dismiss(id), SHOWN_MS);
  },
  /** Something was done, with Undo. */
  undoable(title: string, undo: () => void, text = ''): void {
    const id = add({ kind: 'done', title, text, requestId: '', undo });
    setTimeout(() => dismiss(id), UNDO_SHOWN_MS);
  },
  /** Something failed. Stays until it is dismissed. */
  error(title: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    add({ kind: 'error', title, text, requestId: error instanceof ApiError ? error.reference : '' });
  },
};

/** Whether a toast on the screen offers Undo. */
export const canUndo = (): boolean => toasts.some((toast) => toast.undo);

/** Undoes the latest change that offers it. @returns false if there is none */
export function undoLast(): boolean {
  const last = toasts.findLast((toast) => toast.undo);
  if (!last) return false;
  dismiss(last.id);
  last.undo?.();
  return true;
}
