import type { SdkAttributes } from '@foyer/protocol';
import { isAnonymous, newId } from '../identity.ts';
import { loadItems, type OutboxItem, storeItem } from './items.ts';
import { waitingItems } from './leases.ts';

/**
 * The item that reports changed attributes: this tab's last one for the same visitor if it is still waiting, so
 * that several calls are sent as one.
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
    // Items waiting under the anonymous key get the new one, or they would recreate the old visitor.
    for (const item of loadItems()) if (item.key === before) storeItem(item.id, { ...item, key, user_hash });
  }
  const same = waitingItems().filter((item) => item.attributes && item.key === key);
  const item = same.pop() ?? { id: newId(), key, at: 0 };
  item.attributes = { ...item.attributes, ...changed };
  item.user_hash = user_hash;
  if (isKnownNow) item.previous_key = before;
  return item;
};
