import { unreadCount } from '../../../words.ts';
import type { InboxItem } from './inbox-list.ts';

/** What is open, and where it stood in the list when it was last there. */
export interface Stood {
  key: string | undefined;
  at: number;
}

/**
 * Where the next one or the one before stands. What was closed meanwhile has left the list: the one after it stands
 * in its place.
 */
export function placeToGo(
  items: readonly InboxItem[],
  openKey: string | undefined,
  stood: Stood,
  by: 1 | -1,
): number {
  const at = items.findIndex(({ key }) => key === openKey);
  if (at !== -1) return at + by;
  if (openKey === undefined || stood.key !== openKey) return 0;
  return Math.min(by === 1 ? stood.at : stood.at - 1, items.length - 1);
}

const isUnread = (item: InboxItem): boolean =>
  item.kind === 'chat' ? item.session.marked_unread || unreadCount(item.session) > 0 : item.ticket.unread;

/** Where the next one stands that nobody has read, from the one that is open on and then from the top; -1 for none. */
export function nextUnread(items: readonly InboxItem[], openKey: string | undefined): number {
  const at = items.findIndex(({ key }) => key === openKey);
  const below = items.findIndex((item, place) => place > at && isUnread(item));
  return below === -1 ? items.findIndex((item, place) => place < at && isUnread(item)) : below;
}
