import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import { cx } from '../../ui/classes.ts';
import { useScrollPlace } from '../../ui/Page.tsx';
import { visitorName } from '../../words.ts';
import { ChatRow } from './ChatRow.tsx';
import type { InboxItem } from './inbox-list.ts';
import { useBulk } from './many/bulk-run.ts';
import { SelectBox } from './many/SelectBox.tsx';
import type { Selecting } from './many/use-selection.ts';
import { TicketRow } from './TicketRow.tsx';
import { t } from './t.ts';

/** 80 px and the line below. */
const ROW_PX = 81;
const AHEAD = 8;
/** More is loaded when so many rows are left. */
const NEAR_END = 15;

const nameOf = (item: InboxItem): string =>
  item.kind === 'chat' ? visitorName(item.session.visitor) : item.ticket.subject;

interface InboxRowsProps {
  items: InboxItem[];
  /** Names the list whose scroll is kept. */
  place: string;
  openKey: string | undefined;
  selecting: Selecting;
  hasMore: boolean;
  onMore: () => void;
}

/** Only the rows that can be seen, and a few around them, however long the list is. */
export function InboxRows({ items, place, openKey, selecting, hasMore, onMore }: InboxRowsProps) {
  const scroll = useScrollPlace<HTMLDivElement>(place);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: AHEAD,
  });
  const { selection, pick } = selecting;
  const isSelecting = selection.keys.size > 0;
  const { failures } = useBulk();
  const shown = rows.getVirtualItems();
  const nearEnd = (shown.at(-1)?.index ?? 0) >= items.length - NEAR_END;
  useEffect(() => {
    if (nearEnd && hasMore) onMore();
  }, [nearEnd, hasMore, onMore]);
  const isSelected = (key: string): boolean => selection.keys.has(key);
  const openAt = items.findIndex((item) => item.key === openKey);
  useEffect(() => {
    if (openAt !== -1) rows.scrollToIndex(openAt, { align: 'auto' });
  }, [openAt, rows]);
  return (
    <div ref={scroll} className="scroll-y min-h-0 flex-1">
      <ul aria-label={t('list')} className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <li
              key={key}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
              data-row={item.key}
              onClickCapture={(event) => {
                if (!event.shiftKey || event.target instanceof HTMLInputElement) return;
                event.preventDefault();
                event.stopPropagation();
                pick(item.key, true);
              }}
              className={cx(
                'group absolute inset-x-0 top-0 border-b',
                isSelected(item.key) && 'bg-accent-ground',
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              {item.kind === 'chat' ? (
                <ChatRow
                  session={item.session}
                  found={item.found}
                  isOpen={item.key === openKey}
                  failure={failures.get(item.key)}
                />
              ) : (
                <TicketRow
                  ticket={item.ticket}
                  found={item.found}
                  isOpen={item.key === openKey}
                  failure={failures.get(item.key)}
                />
              )}
              <SelectBox
                name={nameOf(item)}
                isSelected={isSelected(item.key)}
                isSelecting={isSelecting}
                onPick={(withShift) => pick(item.key, withShift)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
