import { unreadCount } from '../../../words.ts';
import type { InboxItem } from './inbox-list.ts';

/** The open conversation, and its last position in the list. */
export interface Stood {
  key: string | undefined;
  at: number;
}

/**
 * The position of the next or previous one. If the open one has left the list, the one after it has taken its
 * place.
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

/** The position of the next unread one after the open one, then from the top; -1 for none. */
export function nextUnread(items: readonly InboxItem[], openKey: string | undefined): number {
  const at = items.findIndex(({ key }) => key === openKey);
  const below = items.findIndex((item, place) => place > at && isUnread(item));
  return below === -1 ? items.findIndex((item, place) => place < at && isUnread(item)) : below;
}
