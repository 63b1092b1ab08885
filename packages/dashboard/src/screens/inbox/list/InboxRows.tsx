import { useRouterState } from '@tanstack/react-router';
import {
  type DOMAttributes,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react';
import { type Density, useDensity } from '../../../desk/preferences.ts';
import { useLanguage } from '../../../language.ts';
import { revealRow, useHoverAtRest, useMoreNearEnd, useRowsInView } from '../../../ui/rows/rows-in-view.ts';
import { useScrollPlace } from '../../../ui/rows/scroll-place.ts';
import { useNow } from '../../../ui/Time.tsx';
import { useBulk } from '../bulk/bulk-state.ts';
import { isSelectBox } from '../bulk/SelectBox.tsx';
import type { Selecting } from '../bulk/use-selection.ts';
import { t } from '../t.ts';
import { usePlacesWritten } from '../writing/drafts/use-draft.ts';
import { useFetchAhead } from './fetch-ahead.ts';
import { type InboxItem, writingPlaceOf } from './inbox-list.ts';
import { InboxRow, rowPxOf } from './row/InboxRow.tsx';

const AHEAD = 6;

const keyOf = ({ key }: InboxItem): string => key;

/** Scrolls to the open row. */
function useRevealed(
  list: RefObject<HTMLElement | null>,
  items: readonly InboxItem[],
  openKey: string | undefined,
  rowPx: number,
): void {
  const revealed = useRef<string>(undefined);
  useEffect(() => {
    const openAt = items.findIndex((item) => item.key === openKey);
    if (openAt === -1 || revealed.current === openKey) return;
    // Once: if an update moves the row, an agent who has scrolled on stays where they are.
    revealed.current = openKey;
    revealRow(list.current, openAt, rowPx);
  }, [list, items, openKey, rowPx]);
}

type RowEvents = Pick<
  DOMAttributes<Element>,
  'onClickCapture' | 'onPointerDown' | 'onPointerOver' | 'onPointerLeave' | 'onFocus'
>;

/** Opens or selects rows on click and prefetches a row under the pointer, with one listener for the list. */
function useRowEvents(
  items: readonly InboxItem[],
  selecting: Selecting,
  onOpen: (item: InboxItem) => void,
  rowPx: number,
): RowEvents {
  const fetchAhead = useFetchAhead();
  const itemAt = ({ target }: SyntheticEvent): InboxItem | undefined => {
    const row = target instanceof Element ? target.closest('[data-row]') : null;
    return row ? items[Number(row.getAttribute('aria-posinset')) - 1] : undefined;
  };
  /** By position: while the list scrolls, the browser reports no row under the pointer. */
  const itemBelow = ({ clientY, currentTarget }: MouseEvent): InboxItem | undefined =>
    items[Math.floor((clientY - currentTarget.getBoundingClientRect().top) / rowPx)];
  const click = (event: MouseEvent): void => {
    const item = itemAt(event) ?? itemBelow(event);
    if (!item) return;
    const isBox = isSelectBox(event.target);
    if (isBox || event.shiftKey) selecting.pick(item.key, event.shiftKey);
    // With one of these keys the browser opens the link elsewhere.
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else onOpen(item);
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  };
  return {
    onClickCapture: click,
    onPointerDown: (event) => fetchAhead.now(itemAt(event)),
    onPointerOver: (event) => fetchAhead.rested(itemAt(event)),
    onPointerLeave: () => fetchAhead.rested(undefined),
    onFocus: (event) => fetchAhead.rested(itemAt(event)),
  };
}

interface InboxRowsProps {
  items: InboxItem[];
  /** Identifies the list for its scroll position. */
  place: string;
  openKey: string | undefined;
  myId: number;
  selecting: Selecting;
  hasMore: boolean;
  onMore: () => void;
  onOpen: (item: InboxItem) => void;
}

/** The list of chats and tickets. Reads what all rows need to know, and isn't rendered while it is scrolled. */
export function InboxRows({
  items,
  place,
  openKey,
  myId,
  selecting,
  hasMore,
  onMore,
  onOpen,
}: InboxRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const density = useDensity();
  const rowPx = rowPxOf(density);
  const { keys } = selecting.selection;
  const { failures } = useBulk();
  const now = useNow();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const written = usePlacesWritten();
  useHoverAtRest(list);
  useRevealed(list, items, openKey, rowPx);
  const events = useRowEvents(items, selecting, onOpen, rowPx);
  return (
    <ScrolledRows
      items={items}
      place={place}
      rowPx={rowPx}
      hasMore={hasMore}
      onMore={onMore}
      list={list}
      density={density}
      isSelecting={keys.size > 0}
      events={events}
      rowOf={(item, at) => (
        <InboxRow
          key={item.key}
          item={item}
          at={at}
          px={rowPx}
          size={hasMore ? -1 : items.length}
          search={search}
          now={now}
          myId={myId}
          isOpen={item.key === openKey}
          isSelected={keys.has(item.key)}
          hasDraft={written.has(writingPlaceOf(item))}
          failure={failures.get(item.key)}
        />
      )}
    />
  );
}

interface ScrolledRowsProps extends Pick<InboxRowsProps, 'items' | 'place' | 'hasMore' | 'onMore'> {
  rowPx: number;
  list: RefObject<HTMLUListElement | null>;
  density: Density;
  isSelecting: boolean;
  events: RowEvents;
  rowOf: (item: InboxItem, at: number) => ReactNode;
}

/**
 * Renders only the visible rows and a few around them, however long the list is. Renders again whenever rows come
 * into view, so it reads nothing that the list could read for it.
 */
function ScrolledRows(props: ScrolledRowsProps) {
  const { items, place, rowPx, hasMore, onMore, list, density, isSelecting, events, rowOf } = props;
  const scroll = useScrollPlace<HTMLDivElement>(place);
  const { first, end, style } = useRowsInView(list, { place, items, keyOf, rowPx, ahead: AHEAD });
  useMoreNearEnd({ count: items.length, end, hasMore, onMore });
  return (
    <div ref={scroll} className="scroll-y min-h-0 flex-1 bg-surface">
      <ul
        // Rows that didn't change must be recreated when the language changes.
        key={useLanguage()}
        ref={list}
        aria-label={t('list')}
        data-density={density}
        data-selecting={isSelecting || undefined}
        className="hover-at-rest relative isolate"
        style={style}
        {...events}
      >
        {items.slice(first, end).map((item, below) => rowOf(item, first + below))}
      </ul>
    </div>
  );
}
