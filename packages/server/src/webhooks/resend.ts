import type { OutputOf, ParsedInputOf, WebhookDelivery } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { JobData } from '../jobs/job.ts';
import { deliveriesOf, disabled, getDelivery, requireSubscription } from './delivery-log.ts';
import { lockSubscription } from './subscriptions.ts';

const STEP = 500;

/**
 * Sends one delivery again, or all that died since a time.
 * @throws AppError 409 while it is on its way, and when its subscription is disabled.
 */
export function resendDeliveries(
  ctx: SiteContext,
  { id, dead_since, subscription_id }: ParsedInputOf<'webhook_deliveries.resend'>,
): Promise<OutputOf<'webhook_deliveries.resend'>> {
  return ctx.transaction<OutputOf<'webhook_deliveries.resend'>>((tx) =>
    id === undefined
      ? resendDead(tx, new Date(dead_since ?? 0), subscription_id)
      : resendOne(tx, id, subscription_id),
  );
}

/** At once and whatever became of it: the same bytes, the same id, attempts numbered on, the schedule anew. */
async function resendOne(tx: SiteContext, id: number, subscriptionId?: number): Promise<WebhookDelivery> {
  if (subscriptionId !== undefined) await requireSubscription(tx, subscriptionId);
  const row = await deliveriesOf(tx).where('d.id', '=', id).forUpdate('d').executeTakeFirst();
  if (!row) throw notFound('webhook delivery');
  if (row.disabled_at !== null) throw disabled();
  // Due and not settled: a worker has it, or is about to.
  if (row.next_attempt_at !== null && row.next_attempt_at <= tx.now())
    throw new AppError('conflict', 'The delivery is on its way already.');
  await tx.db
    .updateTable('webhook_deliveries')
    .set((column) => ({
      attempts_before: column.ref('attempts_made'),
      next_attempt_at: tx.now(),
      delivered_at: null,
      dead_at: null,
    }))
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  await tx.emit({ notices: [{ kind: 'deliveries' }] });
  return getDelivery(tx, id);
}

type Dead = JobData<'webhooks.resend_dead'>;

/** Of subscriptions that are enabled: what is dead for a disabled one would only wait. */
const isDead = (siteId: number, { subscription_id, dead_since, dead_until }: Dead) => sql<boolean>`
  d.site_id = ${siteId} and d.dead_at >= ${dead_since}::timestamptz and d.dead_at <= ${dead_until}::timestamptz
  and (${subscription_id}::bigint is null or d.subscription_id = ${subscription_id}::bigint)
  and exists (select from webhook_subscriptions s
    where s.site_id = d.site_id and s.id = d.subscription_id and s.disabled_at is null)`;

/** There may be a hundred thousand of them, so a job does it. */
async function resendDead(
  tx: SiteContext,
  since: Date,
  subscriptionId?: number,
): Promise<{ queued: number }> {
  if (subscriptionId !== undefined && (await lockSubscription(tx, subscriptionId)).disabled_at !== null)
    throw disabled();
  const dead: Dead = {
    subscription_id: subscriptionId ?? null,
    dead_since: since.toISOString(),
    dead_until: tx.now().toISOString(),
  };
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from webhook_deliveries d where ${isDead(tx.site.id, dead)}`.execute(tx.db);
  const queued = rows[0]?.count ?? 0;
  if (queued > 0) await tx.enqueue('webhooks.resend_dead', dead);
  return { queued };
}

/**
 * The job: small steps, so that nobody waits for its locks. What has died again since it was asked for is not sent a
 * third time, so a job that is begun anew goes on where it was.
 */
export async function sendDeadAgain(ctx: SiteContext, dead: Dead): Promise<void> {
  for (let done = STEP; done === STEP; ) {
    done = await ctx.transaction(async (tx) => {
      const { rows } = await sql`
        with again as (
          select d.site_id, d.id from webhook_deliveries d where ${isDead(tx.site.id, dead)}
          order by d.id limit ${STEP}::int for update of d skip locked
        )
        update webhook_deliveries d set attempts_before = d.attempts_made, next_attempt_at = ${tx.now()}, dead_at = null
        from again where d.site_id = again.site_id and d.id = again.id returning d.id`.execute(tx.db);
      if (rows.length > 0) await tx.emit({ notices: [{ kind: 'deliveries' }] });
      return rows.length;
    });
  }
}
