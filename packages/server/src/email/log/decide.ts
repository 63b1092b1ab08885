import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { queueReceived } from '../inbound/store.ts';

/** Locks a suspended mail, so that two decisions about it are one. @throws AppError 404, and 409 once it is decided */
async function lockSuspended({ db, site }: SiteContext, id: number): Promise<void> {
  const row = await db
    .selectFrom('received_mails')
    .select('state')
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('email');
  if (row.state !== 'suspended') throw new AppError('conflict', 'This email isn’t suspended.');
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
