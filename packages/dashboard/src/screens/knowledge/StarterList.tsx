import type { Starter } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { GripVertical, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { startersQuery } from '../../queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { Rows } from '../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../ui/RowOrder.tsx';
import { useReorder } from '../../use-reorder.ts';
import { t } from './t.ts';

/** The starters in the order in which visitors see them, to be moved, changed and deleted. */
export function StarterList({
  starters,
  onEdit,
}: {
  starters: Starter[];
  onEdit: (starter: Starter) => void;
}) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState<Starter | null>(null);
  const reorder = useReorder<Starter>({
    queryKey: startersQuery.queryKey,
    write: (place) => call('conversation_starters.update', place),
    failure: () => t('order_failed'),
  });
  const order = useRowOrder({
    count: starters.length,
    off: reorder.isPending,
    onMove: (from, to) => reorder.mutate(movedIn(starters, from, to)),
    words: (from, to) =>
      t('row_moved', { name: starters[from]?.label ?? '', to: to + 1, total: starters.length }),
  });
  const remove = useMutation({
    mutationFn: (id: number) => call('conversation_starters.delete', { id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: startersQuery.queryKey });
      setDeleting(null);
    },
  });
  return (
    <>
      {order.status}
      <Rows label={t('starters_list')}>
        {starters.map((starter, at) => (
          <li
            key={starter.id}
            {...order.rowProps(at)}
            className={cx('flex items-center gap-2 py-2 ps-3 pe-2', order.lookOf(at))}
          >
            <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-faint max-md:hidden" />
            <div className="min-w-0 flex-1">
              <p className={cx(LINE, 'font-medium')}>
                <bdi>{starter.label}</bdi>
              </p>
              <p className={cx(LINE, 'text-soft')}>
                <bdi>{starter.prompt}</bdi>
              </p>
            </div>
            <MoveButtons
              at={at}
              count={starters.length}
              up={t('move_up', { name: starter.label })}
              down={t('move_down', { name: starter.label })}
              busy={reorder.isPending}
              onMove={order.move}
            />
            <IconButton label={t('edit_named', { name: starter.label })} onClick={() => onEdit(starter)}>
              <Pencil aria-hidden className="size-4" />
            </IconButton>
            <IconButton
              label={t('delete_named', { name: starter.label })}
              onClick={() => setDeleting(starter)}
            >
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </Rows>
      <Confirm
        open={deleting !== null}
        onClose={() => {
          setDeleting(null);
          remove.reset();
        }}
        title={t('starter_delete_question', { name: deleting?.label ?? '' })}
        action={t('starter_delete')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate(deleting.id)}
      >
        {t('starter_delete_hint')}
      </Confirm>
    </>
  );
}
