import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import { useScrollPlace } from '../../ui/Page.tsx';
import { ChatRow } from './ChatRow.tsx';
import type { InboxItem } from './inbox-list.ts';
import { TicketRow } from './TicketRow.tsx';
import { t } from './t.ts';

/** 80 px and the line below. */
const ROW_PX = 81;
const AHEAD = 8;
/** More is loaded when so many rows are left. */
const NEAR_END = 15;

interface InboxRowsProps {
  items: InboxItem[];
  /** Names the list whose scroll is kept. */
  place: string;
  openKey: string | undefined;
  hasMore: boolean;
  onMore: () => void;
}

/** Only the rows that can be seen, and a few around them, however long the list is. */
export function InboxRows({ items, place, openKey, hasMore, onMore }: InboxRowsProps) {
  const scroll = useScrollPlace<HTMLDivElement>(place);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: AHEAD,
  });
  const shown = rows.getVirtualItems();
  const nearEnd = (shown.at(-1)?.index ?? 0) >= items.length - NEAR_END;
  useEffect(() => {
    if (nearEnd && hasMore) onMore();
  }, [nearEnd, hasMore, onMore]);
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
              className="absolute inset-x-0 top-0 border-b"
              style={{ transform: `translateY(${start}px)` }}
            >
              {item.kind === 'chat' ? (
                <ChatRow session={item.session} isOpen={item.key === openKey} />
              ) : (
                <TicketRow ticket={item.ticket} isOpen={item.key === openKey} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
