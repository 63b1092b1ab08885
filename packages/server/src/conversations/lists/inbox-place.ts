import { INBOX_SORTS, type InboxSort } from '@foyer/protocol';
import { invalidInput } from '../../base/errors.ts';
import { decodeCursor, encodeCursor } from '../../db/keyset.ts';

/** Where a page of chats or tickets ends in one of the inbox's orders; `ms` is a time. */
export type InboxPlace = readonly [rank: number, ms: number, id: number];

/** The cursor of a place, including the sort order. */
export const cursorOf = (sort: InboxSort, place: InboxPlace): string =>
  encodeCursor([INBOX_SORTS.indexOf(sort), ...place]);

/** The place in a cursor, if it belongs to this sort order. @throws AppError 400 */
export function placeIn(sort: InboxSort, cursor: string | undefined): InboxPlace | undefined {
  const [mark, rank = 0, ms = 0, id = 0] = decodeCursor(cursor, 4) ?? [];
  if (mark === undefined) return undefined;
  if (mark !== INBOX_SORTS.indexOf(sort))
    throw invalidInput([{ path: 'cursor', message: 'isn’t a cursor of this sort order' }]);
  return [rank, ms, id];
}
