import type { Starter } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { GripVertical, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Rows } from '../../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../../ui/rows/RowOrder.tsx';
import { useReorder } from '../../../use-reorder.ts';
import { startersQuery } from '../knowledge-queries.ts';
import { t } from '../t.ts';

interface StarterListProps {
  starters: Starter[];
  onEdit: (starter: Starter) => void;
}

/** The starters in order, to be moved, changed and deleted. */
export function StarterList({ starters, onEdit }: StarterListProps) {
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
            <StarterWords starter={starter} />
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
      <DeleteStarter starter={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

function StarterWords({ starter }: { starter: Starter }) {
  return (
    <>
      <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-faint max-md:hidden" />
      <div className="min-w-0 flex-1">
        <p className={cx(LINE, 'font-medium')}>
          <bdi>{starter.label}</bdi>
        </p>
        <p className={cx(LINE, 'text-soft')}>
          <bdi>{starter.prompt}</bdi>
        </p>
      </div>
    </>
  );
}

function DeleteStarter({ starter, onClose }: { starter: Starter | null; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      open={starter !== null}
      onClose={onClose}
      title={t('starter_delete_question', { name: starter?.label ?? '' })}
      action={t('starter_delete')}
      run={async () => starter && call('conversation_starters.delete', { id: starter.id })}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: startersQuery.queryKey });
        onClose();
      }}
    >
      {t('starter_delete_hint')}
    </ConfirmAction>
  );
}
