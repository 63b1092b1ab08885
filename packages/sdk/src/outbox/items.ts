import type { SdkAttributes } from '@foyer/protocol';
import { OUTBOX, type StoredEvent } from '../identity.ts';
import { names, read, write } from '../store.ts';

/** One thing that the server has not acknowledged yet. */
export interface OutboxItem {
  id: string;
  key: string;
  /** When the lease of the tab that has it expires, in ms. */
  at: number;
  attributes?: SdkAttributes;
  previous_key?: string;
  /** Proves the visitor's key where the site verifies identities. */
  user_hash?: string | undefined;
  event?: StoredEvent;
}

/**
 * The items of all tabs, oldest first. Each has an entry of its own in storage, because tabs that wrote one list would
 * overwrite each other's.
 */
export const loadItems = (): OutboxItem[] =>
  (
    names()
      .filter((name) => name.startsWith(OUTBOX))
      .map(read) as OutboxItem[]
  ).filter((item) => item?.id && item.key);

/** Null if it has been removed. */
export const findItem = (id: string): OutboxItem | null => read(OUTBOX + id) as OutboxItem | null;

/** Without an item it removes. */
export const storeItem = (id: string, item?: OutboxItem): void => write(OUTBOX + id, item);
