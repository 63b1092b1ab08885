import type { DataImport, ImportKind } from '@foyer/protocol';
import { IMPORT_PART_BYTES } from '@foyer/protocol/values/bounds';
import { useSyncExternalStore } from 'react';
import { ApiError, call, putBytes } from '../../../api.ts';

/** Pauses before a failed part is sent again. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000];

/** A running upload, which lives as long as the page. */
interface Sending {
  id: number;
  bytes: number;
  sent: number;
  /** It was interrupted. */
  error: Error | null;
}

const sendings = new Map<number, Sending>();
const listeners = new Set<() => void>();

/** Closing the page would lose the rest, so the browser asks. */
const hold = (event: BeforeUnloadEvent): void => event.preventDefault();

function changed(): void {
  if ([...sendings.values()].some(({ error }) => error === null)) addEventListener('beforeunload', hold);
  else removeEventListener('beforeunload', hold);
  for (const listener of listeners) listener();
}

function put(next: Sending): void {
  sendings.set(next.id, next);
  changed();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** This page's upload for an import; null if another page began it, or it was interrupted. */
export const useSending = (id: number): Sending | null =>
  useSyncExternalStore(subscribe, () => sendings.get(id) ?? null);

async function sendPart(path: string, part: Blob): Promise<void> {
  for (const pause of [...PAUSES_MS, null]) {
    try {
      await putBytes(path, part);
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.passes) || pause === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function sendParts(id: number, file: File): Promise<void> {
  for (let at = 0, number = 1; at < file.size; at += IMPORT_PART_BYTES, number += 1) {
    await sendPart(`/app/imports/${id}/parts/${number}`, file.slice(at, at + IMPORT_PART_BYTES));
    put({ id, bytes: file.size, sent: Math.min(at + IMPORT_PART_BYTES, file.size), error: null });
  }
}

/** Announces a file and uploads it in parts. A running upload continues. */
export async function beginImport(kind: ImportKind, file: File, onSent: () => void): Promise<DataImport> {
  const made = await call('imports.create', { kind, file_name: file.name.slice(-200), bytes: file.size });
  const { id } = made;
  const first = { id, bytes: file.size, sent: 0, error: null };
  put(first);
  void sendParts(id, file).then(
    () => {
      sendings.delete(id);
      changed();
      onSent();
    },
    (error: Error) => put({ ...(sendings.get(id) ?? first), error }),
  );
  return made;
}
