import type { ParsedInputOf, Visitor } from '@foyer/protocol';
import { invalidInput, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { runExclusive } from '../../core/keyed-mutex.ts';
import { retryOnLockTimeout } from '../../db/transactions/lock-retry.ts';
import { fillAttributes } from '../attributes.ts';
import { moveVisitor } from '../identity/merge.ts';
import { settled, tellVisitor } from '../identity/upsert.ts';
import { asFields } from '../person-fields.ts';
import { presentVisitor, segmentNames } from '../present.ts';
import { lockVisitor, lockVisitors, scopeOf, type VisitorRow, type VisitorScope } from '../rows.ts';

const presentOne = async ({ db, site }: SiteContext, row: VisitorRow): Promise<Visitor> =>
  presentVisitor(row, await segmentNames(db, site.id, [row]));

/**
 * An agent edits a visitor. Doesn't count as the visitor's activity.
 * @throws AppError 404, 400 for too many attributes, and for a field’s wrong value
 */
export async function updateVisitor(
  ctx: SiteContext,
  { key, email, name, attributes = {} }: ParsedInputOf<'visitors.update'>,
): Promise<Visitor> {
  const row = await runExclusive(ctx, key, () =>
    ctx.transaction(async (tx) => {
      const scope = scopeOf(tx);
      if (!(await lockVisitor(scope, key))) throw notFound('visitor');
      const checked = await asFields(tx, key, attributes);
      return tellVisitor(scope, { key, email, name, attributes: checked, trust: 'vouched', isSeen: false });
    }),
  );
  return presentOne(ctx, row);
}

/** The remaining visitor, with missing fields taken from the other. If either is blocked, the result is. */
async function filled(scope: VisitorScope, from: VisitorRow, to: VisitorRow): Promise<VisitorRow> {
  const { db, siteId, now } = scope;
  const isBlocked = to.blocked_at !== null || from.blocked_at === null;
  const { blocked_at, blocked_by } = isBlocked ? to : from;
  const lacks = (field: 'email' | 'name'): boolean => to[field] === null && from[field] !== null;
  const verifiedFields = new Set([
    ...to.verified_fields,
    ...from.verified_fields.filter((field) => lacks(field as 'email' | 'name')),
  ]);
  return db
    .updateTable('visitors')
    .set({
      email: to.email ?? from.email,
      name: to.name ?? from.name,
      attributes: JSON.stringify(fillAttributes(to.attributes, from.attributes, {})),
      verified_fields: [...verifiedFields],
      blocked_at,
      blocked_by,
      last_seen_at: from.last_seen_at > to.last_seen_at ? from.last_seen_at : to.last_seen_at,
      updated_at: now,
    })
    .where('site_id', '=', siteId)
    .where('id', '=', to.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * An agent merges two visitors: everything of the first moves to the second, whose name, address and attributes
 * win. If two agents do so at once, one finds it done.
 * @throws AppError 404 for either, 400 for the same visitor twice
 */
export async function mergeVisitors(
  ctx: SiteContext,
  { key, into_key }: ParsedInputOf<'visitors.merge'>,
): Promise<Visitor> {
  if (key === into_key) throw invalidInput([{ path: 'into_key', message: 'must be another visitor’s' }]);
  const row = await ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const { from, after } = await retryOnLockTimeout(tx.db, async () => {
      const rows = await lockVisitors(scope, [key, into_key]);
      const gone = rows.find((one) => one.key === key);
      const stays = rows.find((one) => one.key === into_key);
      if (!gone || !stays) throw notFound('visitor');
      await moveVisitor(scope, gone, stays);
      return { from: gone, after: await filled(scope, gone, stays) };
    });
    await tx.emit({ notices: [from, after].map(({ id }) => ({ kind: 'visitor', visitorId: id })) });
    return settled(scope, { visitor: after, touched: 'everything' });
  });
  return presentOne(ctx, row);
}

/** Locks an existing visitor. @throws AppError 404 */
export async function lockKnown(tx: SiteContext, key: string): Promise<VisitorRow> {
  const row = await lockVisitor(scopeOf(tx), key);
  if (!row) throw notFound('visitor');
  return row;
}
