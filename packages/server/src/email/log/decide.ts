import { AppError, notFound } from '../../base/errors.ts';
import { blockVisitor } from '../../conversations/block-visitor.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { resolveRequester } from '../../tickets/requester/requester.ts';
import { queueReceived } from '../inbound/store.ts';

/** Locks a suspended mail, so that two decisions about it are one. @throws AppError 404, and 409 once it is decided */
async function lockSuspended({ db, site }: SiteContext, id: number) {
  const row = await db
    .selectFrom('received_mails')
    .select(['state', 'from_address', 'from_name'])
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('email');
  if (row.state !== 'suspended') throw new AppError('conflict', 'This email isn’t suspended.');
  return row;
}

/**
 * Accepts a suspended mail: it is processed as if nothing had been suspicious about it.
 * @throws AppError 404, 409 if it isn't suspended or its raw message has been deleted
 */
export function acceptReceived(ctx: SiteContext, id: number): Promise<void> {
  return ctx.transaction(async (tx) => {
    await lockSuspended(tx, id);
    const row = await tx.db
      .updateTable('received_mails')
      .set({ state: 'waiting', reason: null, detail: null, accepted_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .where('raw', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!row) throw new AppError('conflict', 'The raw message has been deleted.');
    await queueReceived(tx, id);
  });
}

/**
 * Rejects a suspended mail and blocks its sender, on every channel. Their next mails are suspended too.
 * @throws AppError 404, 409 if it isn't suspended, 403 for callers who aren't agents
 */
export async function blockReceived(ctx: SiteContext, id: number): Promise<void> {
  agentActor(ctx);
  const key = await ctx.transaction(async (tx) => {
    const { from_address: email, from_name: name } = await lockSuspended(tx, id);
    await tx.db
      .updateTable('received_mails')
      .set({ state: 'rejected', reason: 'blocked_sender' })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    if (email === null) return undefined;
    const told = tx.as({ kind: 'visitor', visitorId: null, deviceId: null, verified: false });
    const requester = await resolveRequester(told, { email, name });
    const visitor = await tx.db
      .selectFrom('visitors')
      .select('key')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', requester.id)
      .executeTakeFirst();
    return visitor?.key;
  });
  if (key) await blockVisitor(ctx, key);
}
