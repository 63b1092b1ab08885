import { loadItems, type OutboxItem, storeItem } from './items.ts';

/** How long a tab keeps an item after it should have been sent: longer than a request takes. */
const LEASE_MS = 30_000;
/** The longest pause before a retry, and so the latest time for which an item can be due. */
export const RETRY_MAX_MS = 300_000;
/** When an item in flight is due. */
export const NEVER = Number.POSITIVE_INFINITY;

/** When this tab's items are due, in ms, by their id. */
const own = new Map<string, number>();

/** Leases an item to this tab, to be sent at that time. Other tabs send it only once the lease has expired. */
export const lease = (item: OutboxItem, due: number): void => {
  own.set(item.id, due);
  item.at = due + LEASE_MS;
  storeItem(item.id, item);
};

/** Leases an item for a request that starts now. */
export const leaseInFlight = (item: OutboxItem): void => {
  lease(item, Date.now());
  own.set(item.id, NEVER);
};

/** Ends this tab's lease. The item is removed unless it is given, for other tabs to send. */
export const endLease = (id: string, item?: OutboxItem): void => {
  own.delete(id);
  storeItem(id, item);
};

/** When this tab may send an item, in ms: at the item's time, or once another tab's lease has expired. */
export const dueAt = ({ id, at }: OutboxItem, now: number): number =>
  // A lease that expires later than any can comes from a clock that was set back since.
  own.get(id) ?? (at - now > RETRY_MAX_MS + LEASE_MS ? 0 : at);

/** This tab's items that are not in flight, oldest first. */
export const waitingItems = (): OutboxItem[] =>
  loadItems().filter(({ id }) => (own.get(id) ?? NEVER) < NEVER);
