import type { SdkAttributes } from '@foyer/protocol';
import { isAnonymous, newId } from '../identity.ts';
import { loadItems, type OutboxItem, storeItem } from './items.ts';
import { waitingItems } from './leases.ts';

/**
 * The item that reports changed attributes. It is this tab's last one for the same visitor if that still waits, so that
 * several calls are sent as one.
 * @param before the visitor's key before the call
 */
export const identifyItem = (
  before: string,
  key: string,
  changed: SdkAttributes,
  user_hash?: string,
): OutboxItem => {
  const isKnownNow = isAnonymous(before) && key !== before;
  if (isKnownNow) {
    // What waits under the anonymous key follows it, else it would bring the old visitor back.
    for (const item of loadItems()) if (item.key === before) storeItem(item.id, { ...item, key, user_hash });
  }
  const same = waitingItems().filter((item) => item.attributes && item.key === key);
  const item = same.pop() ?? { id: newId(), key, at: 0 };
  item.attributes = { ...item.attributes, ...changed };
  item.user_hash = user_hash;
  if (isKnownNow) item.previous_key = before;
  return item;
};
