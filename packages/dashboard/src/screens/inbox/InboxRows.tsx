import { useRouterState } from '@tanstack/react-router';
import { type MouseEvent, type SyntheticEvent, useEffect, useRef } from 'react';
import { useLanguage } from '../../language.ts';
import { useHoverAtRest, useMoreNearEnd, useRowsInView } from '../../ui/rows-in-view.ts';
import { useScrollPlace } from '../../ui/scroll-place.ts';
import { useNow } from '../../ui/Time.tsx';
import { useFetchAhead } from './fetch-ahead.ts';
import { InboxRow, ROW_PX } from './InboxRow.tsx';
import { addressOf, type InboxItem, writingPlaceOf } from './inbox-list.ts';
import { useBulk } from './many/bulk-run.ts';
import { isSelectBox } from './many/SelectBox.tsx';
import type { Selecting } from './many/use-selection.ts';
import { t } from './t.ts';
import { usePlacesWritten } from './writing/use-draft.ts';

const AHEAD = 6;

const keyOf = ({ key }: InboxItem): string => key;

interface InboxRowsProps {
  items: InboxItem[];
  /** Names the list whose scroll is kept. */
  place: string;
  openKey: string | undefined;
  myId: number;
  selecting: Selecting;
  hasMore: boolean;
  onMore: () => void;
  onOpen: (item: InboxItem) => void;
}

/** Only the rows that can be seen, and a few around them, however long the list is. */
export function InboxRows(props: InboxRowsProps) {
  const { items, place, openKey, myId, selecting, hasMore, onMore, onOpen } = props;
  const scroll = useScrollPlace<HTMLDivElement>(place);
  const list = useRef<HTMLUListElement>(null);
  const { first, end, style, reveal } = useRowsInView(list, {
    place,
    items,
    keyOf,
    rowPx: ROW_PX,
    ahead: AHEAD,
  });
  useHoverAtRest(list);
  const { keys } = selecting.selection;
  const { failures } = useBulk();
  const now = useNow();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const written = usePlacesWritten();

  useMoreNearEnd({ count: items.length, end, hasMore, onMore });
  const openAt = items.findIndex((item) => item.key === openKey);
  const revealed = useRef<string>(undefined);
  useEffect(() => {
    if (openAt === -1 || revealed.current === openKey) return;
    // Once: whoever has scrolled on stays there when news moves it.
    revealed.current = openKey;
    reveal(openAt);
  }, [openAt, openKey, reveal]);

  const fetchAhead = useFetchAhead();
  const itemAt = ({ target }: SyntheticEvent): InboxItem | undefined => {
    const row = target instanceof Element ? target.closest('[data-row]') : null;
    return row ? items[Number(row.getAttribute('aria-posinset')) - 1] : undefined;
  };
  /** By its place: while the list is scrolled no row is under the pointer. */
  const itemBelow = ({ clientY, currentTarget }: MouseEvent): InboxItem | undefined =>
    items[Math.floor((clientY - currentTarget.getBoundingClientRect().top) / ROW_PX)];
  const click = (event: MouseEvent): void => {
    const item = itemAt(event) ?? itemBelow(event);
    if (!item) return;
    const isBox = isSelectBox(event.target);
    if (isBox || event.shiftKey) selecting.pick(item.key, event.shiftKey);
    // With one of these held the browser opens the link elsewhere.
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else onOpen(item);
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  };
  return (
    <div ref={scroll} className="scroll-y min-h-0 flex-1 bg-surface">
      <ul
        // Rows that did not change speak another language when they are made anew.
        key={useLanguage()}
        ref={list}
        aria-label={t('list')}
        data-selecting={keys.size > 0 || undefined}
        className="hover-at-rest relative"
        style={style}
        onClickCapture={click}
        onPointerDown={(event) => fetchAhead.now(itemAt(event))}
        onPointerOver={(event) => fetchAhead.rested(itemAt(event))}
        onPointerLeave={() => fetchAhead.rested(undefined)}
        onFocus={(event) => fetchAhead.rested(itemAt(event))}
      >
        {items.slice(first, end).map((item, below) => (
          <InboxRow
            key={item.key}
            item={item}
            at={first + below}
            size={hasMore ? -1 : items.length}
            href={addressOf(item, search)}
            now={now}
            myId={myId}
            isOpen={item.key === openKey}
            isSelected={keys.has(item.key)}
            hasDraft={written.has(writingPlaceOf(item))}
            failure={failures.get(item.key)}
          />
        ))}
      </ul>
    </div>
  );
}
