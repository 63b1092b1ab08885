import type { SdkAttributes } from '@foyer/protocol';
import { OUTBOX, type StoredEvent } from '../identity.ts';
import { names, read, write } from '../store.ts';

/** Something that the server hasn't acknowledged yet. */
export interface OutboxItem {
  id: string;
  key: string;
  /** When the lease of the tab that holds it expires, in ms. */
  at: number;
  attributes?: SdkAttributes;
  previous_key?: string;
  /** Proves the visitor's key on sites that verify identities. */
  user_hash?: string | undefined;
  event?: StoredEvent;
}

/**
 * The items of all tabs, oldest first. Each has its own entry in storage, because tabs that shared one list would
 * overwrite each other's items.
 */
export const loadItems = (): OutboxItem[] =>
  (
    names()
      .filter((name) => name.startsWith(OUTBOX))
      .map(read) as OutboxItem[]
  ).filter((item) => item?.id && item.key);

/** Null if it has been removed. */
export const findItem = (id: string): OutboxItem | null => read(OUTBOX + id) as OutboxItem | null;

/** Without an item, removes it. */
export const storeItem = (id: string, item?: OutboxItem): void => write(OUTBOX + id, item);
