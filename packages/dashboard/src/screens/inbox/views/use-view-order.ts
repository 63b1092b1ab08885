import type { InboxView } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { viewsQuery } from '../../../queries.ts';
import { movedIn } from '../../../ui/rows/RowOrder.tsx';
import { useReorder } from '../../../use-reorder.ts';
import { t } from '../filters/t.ts';

/** The shared views, or the private ones, in order. */
export const viewsIn = (views: readonly InboxView[], isPrivate: boolean): InboxView[] =>
  views.filter(({ visibility }) => (visibility === 'private') === isPrivate);

/** Moves views within their group. */
export function useViewMoves(group: readonly InboxView[]) {
  const reorder = useReorder<InboxView>({
    queryKey: viewsQuery.queryKey,
    write: (place) => call('inbox_views.update', place),
    failure: () => t('order_failed'),
  });
  return {
    isPending: reorder.isPending,
    move: (from: number, to: number): void => reorder.mutate(movedIn(group, from, to)),
  };
}

/** A view's position in its group, and how to move it. */
export function useViewOrder(view: InboxView) {
  const group = viewsIn(useQuery(viewsQuery).data?.items ?? [], view.visibility === 'private');
  const { move } = useViewMoves(group);
  return { at: group.findIndex(({ id }) => id === view.id), count: group.length, move };
}
