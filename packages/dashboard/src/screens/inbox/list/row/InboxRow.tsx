import { memo } from 'react';
import type { Density } from '../../../../desk/preferences.ts';
import { cx } from '../../../../ui/classes.ts';
import { visitorName } from '../../../../words.ts';
import { SelectBox } from '../../bulk/SelectBox.tsx';
import { addressOf, type InboxItem } from '../inbox-list.ts';
import { ChatRow } from './ChatRow.tsx';
import { TicketRow } from './TicketRow.tsx';

/** The height of `row-lines` and the border. */
const ROW_PX = { comfortable: 81, compact: 57 };

/** The height of a row; on touch screens it stays high. */
export const rowPxOf = (density: Density): number =>
  ROW_PX[matchMedia('(min-width: 768px)').matches ? density : 'comfortable'];

const nameOf = (item: InboxItem): string =>
  item.kind === 'chat' ? visitorName(item.session.visitor) : item.ticket.subject;

interface InboxRowProps {
  item: InboxItem;
  at: number;
  px: number;
  /** The length of the whole list; -1: not known yet. */
  size: number;
  /** The filter of the list, as in the address. */
  search: string;
  now: number;
  myId: number;
  isOpen: boolean;
  isSelected: boolean;
  hasDraft: boolean;
  failure: string | undefined;
}

/**
 * A chat or ticket at its place. While scrolling, only new rows are rendered: none gets a function or object that
 * is created each time, and the list handles clicks.
 */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { item, at, px, size, search, isSelected, ...rest } = props;
  const row = { ...rest, found: item.found, href: addressOf(item, search) };
  return (
    <li
      aria-setsize={size}
      aria-posinset={at + 1}
      data-row={item.key}
      className={cx('isolate border-b', isSelected && 'bg-accent-ground')}
      style={{ height: px }}
    >
      {item.kind === 'chat' ? (
        <ChatRow session={item.session} {...row} />
      ) : (
        <TicketRow ticket={item.ticket} {...row} />
      )}
      <SelectBox name={nameOf(item)} isSelected={isSelected} />
    </li>
  );
});
