import { memo } from 'react';
import type { Density } from '../../../../desk/preferences.ts';
import { cx } from '../../../../ui/classes.ts';
import { visitorName } from '../../../../words.ts';
import { SelectBox } from '../../bulk/SelectBox.tsx';
import type { InboxItem } from '../inbox-list.ts';
import { ChatRow } from './ChatRow.tsx';
import { TicketRow } from './TicketRow.tsx';

/** What `row-lines` takes, and the line below. */
const ROW_PX = { comfortable: 81, compact: 57 };

/** How high a row is; what is pressed by a finger stays as high as it was. */
export const rowPxOf = (density: Density): number =>
  ROW_PX[matchMedia('(min-width: 768px)').matches ? density : 'comfortable'];

const nameOf = (item: InboxItem): string =>
  item.kind === 'chat' ? visitorName(item.session.visitor) : item.ticket.subject;

interface InboxRowProps {
  item: InboxItem;
  at: number;
  px: number;
  /** Of the whole list; -1: nobody knows yet. */
  size: number;
  href: string;
  now: number;
  myId: number;
  isOpen: boolean;
  isSelected: boolean;
  hasDraft: boolean;
  failure: string | undefined;
}

/**
 * A chat or ticket in its place. While the list is scrolled only the rows that come in are rendered: none takes a
 * function or an object that is made anew, and clicks are the list's to hear.
 */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { item, at, px, size, isSelected, ...row } = props;
  return (
    <li
      aria-setsize={size}
      aria-posinset={at + 1}
      data-row={item.key}
      className={cx('isolate border-b', isSelected && 'bg-accent-ground')}
      style={{ height: px }}
    >
      {item.kind === 'chat' ? (
        <ChatRow session={item.session} found={item.found} {...row} />
      ) : (
        <TicketRow ticket={item.ticket} found={item.found} {...row} />
      )}
      <SelectBox name={nameOf(item)} isSelected={isSelected} />
    </li>
  );
});
