import { ApiError } from '../api.ts';

export interface Toast {
  id: number;
  kind: 'done' | 'error';
  title: string;
  text: string;
  requestId: string;
  /** The way back, for as long as the message shows. */
  undo?: () => void;
}

const SHOWN_MS = 4000;
/** Long enough to see a mistake and to reach the button by keyboard. */
const UNDO_SHOWN_MS = 10_000;
const MOST = 3;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let nextId = 1;

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const currentToasts = (): readonly Toast[] => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const dismiss = (id: number): void => put(toasts.filter((toast) => toast.id !== id));

function add(toast: Omit<Toast, 'id'>): number {
  const id = nextId++;
  put([...toasts, { ...toast, id }].slice(-MOST));
  return id;
}

/** Says that something was done; goes by itself. */
export function say(title: string): void {
  const id = add({ kind: 'done', title, text: '', requestId: '' });
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Says that something was done that can be taken back. */
export function sayUndoable(title: string, undo: () => void): void {
  const id = add({ kind: 'done', title, text: '', requestId: '', undo });
  setTimeout(() => dismiss(id), UNDO_SHOWN_MS);
}

export const canUndo = (): boolean => toasts.some((toast) => toast.undo);

/** Takes back what was done last and can be; false when there is nothing. */
export function undoLast(): boolean {
  const last = toasts.findLast((toast) => toast.undo);
  if (!last) return false;
  dismiss(last.id);
  last.undo?.();
  return true;
}

/** Says that something failed; stays until it is dismissed. */
export function complain(title: string, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  add({ kind: 'error', title, text, requestId: error instanceof ApiError ? error.requestId : '' });
}
