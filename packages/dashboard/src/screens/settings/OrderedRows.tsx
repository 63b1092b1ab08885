import type { QueryKey } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../../ui/classes.ts';
import { Rows } from '../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../ui/rows/RowOrder.tsx';
import { useReorder } from '../../use-reorder.ts';

interface Ordered {
  id: number;
  name: string;
  position: number;
}

interface OrderedRowsProps<T> {
  records: readonly T[];
  label: ComponentProps<typeof Rows>['label'];
  mayMove: boolean;
  /** The key of the list, which has the records in `items`. */
  queryKey: QueryKey;
  write: (place: { id: number; position: number }) => Promise<unknown>;
  words: {
    notMoved: () => string;
    moved: (where: { name: string; to: number; total: number }) => string;
    up: (name: string) => string;
    down: (name: string) => string;
  };
  /** A row's link. */
  children: (record: T) => ReactNode;
}

/** Records in the order in which they are tried, moved by dragging, by keys and by buttons. */
export function OrderedRows<T extends Ordered>({
  records,
  label,
  mayMove,
  queryKey,
  write,
  words,
  children,
}: OrderedRowsProps<T>) {
  const reorder = useReorder<T>({ queryKey, write, failure: words.notMoved });
  const order = useRowOrder({
    count: records.length,
    off: !mayMove || reorder.isPending,
    onMove: (from, to) => reorder.mutate(movedIn(records, from, to)),
    words: (from, to) => words.moved({ name: records[from]?.name ?? '', to: to + 1, total: records.length }),
  });
  return (
    <>
      <Rows label={label}>
        {records.map((record, at) => (
          <li
            key={record.id}
            className={cx('flex items-center pe-2 hover:bg-hover', order.lookOf(at))}
            {...order.rowProps(at)}
          >
            {children(record)}
            {mayMove && records.length > 1 ? (
              <MoveButtons
                at={at}
                count={records.length}
                up={words.up(record.name)}
                down={words.down(record.name)}
                busy={reorder.isPending}
                onMove={order.move}
              />
            ) : null}
          </li>
        ))}
      </Rows>
      {order.status}
    </>
  );
}
