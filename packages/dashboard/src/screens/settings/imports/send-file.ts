import type { DataImport, ImportKind } from '@foyer/protocol';
import { IMPORT_PART_BYTES } from '@foyer/protocol/bounds';
import { useSyncExternalStore } from 'react';
import { ApiError, call, putBytes } from '../../../api.ts';

/** Pauses before a part is sent again that did not arrive. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000];

/** A file on its way; it lives as long as the page. */
export interface Sending {
  id: number;
  bytes: number;
  sent: number;
  /** It was broken off. */
  error: Error | null;
}

let sending: Sending | null = null;
const listeners = new Set<() => void>();

/** What is left of it would never come: whoever closes the page is asked. */
const hold = (event: BeforeUnloadEvent): void => event.preventDefault();

function set(next: Sending | null): void {
  sending = next;
  if (next && !next.error) addEventListener('beforeunload', hold);
  else removeEventListener('beforeunload', hold);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What this page sends of an import; null for one that another page has begun to send, or that was broken off. */
export function useSending(id: number): Sending | null {
  const now = useSyncExternalStore(subscribe, () => sending);
  return now?.id === id ? now : null;
}

async function sendPart(path: string, part: Blob, isWanted: () => boolean): Promise<void> {
  for (const pause of [...PAUSES_MS, null]) {
    try {
      await putBytes(path, part);
      return;
    } catch (error) {
      const passes = error instanceof ApiError && error.passes;
      if (!passes || pause === null || !isWanted()) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function sendParts(id: number, file: File): Promise<void> {
  const isWanted = (): boolean => sending?.id === id;
  for (let at = 0, number = 1; at < file.size && isWanted(); at += IMPORT_PART_BYTES, number += 1) {
    await sendPart(`/app/imports/${id}/parts/${number}`, file.slice(at, at + IMPORT_PART_BYTES), isWanted);
    if (isWanted())
      set({ id, bytes: file.size, sent: Math.min(at + IMPORT_PART_BYTES, file.size), error: null });
  }
}

/** Announces a file and begins to send it, part by part. */
export async function beginImport(kind: ImportKind, file: File, onSent: () => void): Promise<DataImport> {
  const made = await call('imports.create', { kind, file_name: file.name.slice(-200), bytes: file.size });
  const { id } = made;
  set({ id, bytes: file.size, sent: 0, error: null });
  void sendParts(id, file).then(
    () => {
      if (sending?.id === id) set(null);
      onSent();
    },
    (error: Error) => {
      if (sending?.id === id) set({ ...sending, error });
    },
  );
  return made;
}
