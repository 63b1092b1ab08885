import { PRIVATE_VIEW_LIMIT, VIEW_LIMIT } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { positionBehind } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../../sites/sites.ts';
import { type Audience, visible } from '../../sites/teams/visibility.ts';

export type ViewRow = Selectable<Tables['saved_views']>;

const CALLED = 'saved view';
const views = new SiteRecords('saved_views', CALLED);

/** @throws AppError 404, also for another site's, and one that the caller doesn't see */
export const getView = async (ctx: SiteContext, id: number): Promise<ViewRow> =>
  visible(ctx, await views.get(ctx, id), CALLED);

/** Like `getView`; other changes of the view wait for the caller's transaction. */
export const lockView = async (tx: SiteContext, id: number): Promise<ViewRow> =>
  visible(tx, await views.lock(tx, id), CALLED);

/**
 * Checks that there is room for another view, and returns the position after the last.
 * @throws AppError 409 if the maximum is reached
 */
export async function roomFor(tx: SiteContext, owner: number | null): Promise<number> {
  // Without the lock, concurrent calls could both find room.
  await lockSite(tx);
  const { count, last } = await tx.db
    .selectFrom('saved_views')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('position').as('last')])
    .where('site_id', '=', tx.site.id)
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .executeTakeFirstOrThrow();
  if (owner === null && count >= VIEW_LIMIT)
    throw new AppError('conflict', `A site can have at most ${VIEW_LIMIT} saved views.`, {
      reason: 'shared_views_full',
      values: { count: VIEW_LIMIT },
    });
  if (owner !== null && count >= PRIVATE_VIEW_LIMIT)
    throw new AppError('conflict', `You can have at most ${PRIVATE_VIEW_LIMIT} private views.`, {
      reason: 'private_views_full',
      values: { count: PRIVATE_VIEW_LIMIT },
    });
  return positionBehind(last);
}

export interface NewView extends Audience {
  name: string;
  kind: ViewRow['kind'];
  filter: ViewRow['filter'];
  sort: ViewRow['sort'];
  /** By default after the last. */
  position?: number | undefined;
}

/** @throws AppError like `roomFor` */
export const insertView = (ctx: SiteContext, { filter, position, ...view }: NewView): Promise<ViewRow> =>
  ctx.transaction(async (tx) => {
    const last = await roomFor(tx, view.owner_id);
    const row = await views.insert(tx, {
      ...view,
      filter: JSON.stringify(filter),
      position: position ?? last,
    });
    await tellOf(tx, row);
    return row;
  });

/** Undefined fields stay. */
export interface ViewChange extends Partial<Audience> {
  name?: string | undefined;
  filter?: ViewRow['filter'] | undefined;
  sort?: ViewRow['sort'] | undefined;
  position?: number | undefined;
}

/** The caller has locked the view. */
export async function changeView(
  tx: SiteContext,
  before: ViewRow,
  { filter, ...change }: ViewChange,
): Promise<ViewRow> {
  const version = filter !== undefined || change.sort !== undefined ? before.version + 1 : undefined;
  const stored = { ...change, filter: filter && JSON.stringify(filter), version };
  const after = await views.update(tx, before.id, stored);
  await tellOf(tx, after);
  return after;
}

/** The caller has locked the view. */
export async function removeView(tx: SiteContext, row: ViewRow): Promise<{ id: number; deleted: true }> {
  const answer = await views.delete(tx, row.id);
  await tellOf(tx, row);
  return answer;
}

const tellOf = (tx: SiteContext, { owner_id }: ViewRow): Promise<void> =>
  tx.emit({ notices: [{ kind: 'views', agentId: owner_id }] });
