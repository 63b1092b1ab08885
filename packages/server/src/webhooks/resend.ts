import type { OutputOf, ParsedInputOf, WebhookDelivery } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../base/errors.ts';
import { currentTracer } from '../base/spans.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobData } from '../core/job-data.ts';
import { deliveriesOf, disabled, getDelivery } from './delivery-log.ts';
import { subscriptions } from './subscriptions.ts';

const STEP = 500;

/**
 * Sends one delivery again, or all that failed for good since a time.
 * @throws AppError 409 while it is being sent, and if its subscription is disabled
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

/**
 * Puts the deliveries of `again` into the queue, due immediately. Attempt numbers continue; the retry schedule
 * starts over.
 */
const queued = (now: Date) => sql`
  insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at, attempts_made, attempts_before,
    traceparent)
  select again.site_id, again.id, again.subscription_id, ${now}::timestamptz, made.number, made.number,
    ${currentTracer()?.running() ?? null}::text
  from again cross join lateral (
    select coalesce(max(number), 0) as number from webhook_attempts a
    where a.site_id = again.site_id and a.delivery_id = again.id
  ) made`;

/**
 * Sends a delivery again immediately, whatever its result was: the same bytes and id. Attempt numbers continue; the
 * retry schedule starts over.
 */
async function resendOne(tx: SiteContext, id: number, subscriptionId?: number): Promise<WebhookDelivery> {
  if (subscriptionId !== undefined) await subscriptions.get(tx, subscriptionId);
  // Locks the queue's row first if there is one, like workers do; otherwise the delivery's own.
  const { site, db } = tx;
  await sql`select from webhook_queue where site_id = ${site.id} and delivery_id = ${id} for update`.execute(
    db,
  );
  await sql`select from webhook_deliveries where site_id = ${site.id} and id = ${id} for update`.execute(db);
  const row = await deliveriesOf(tx)
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('webhook delivery'));
  if (row.disabled_at !== null) throw disabled();
  // Due and unsettled: a worker has it, or is about to.
  if (row.next_attempt_at !== null && row.next_attempt_at <= tx.now())
    throw new AppError('conflict', 'The delivery is already being sent.', { reason: 'delivery_under_way' });
  await sql`
    with again as (
      update webhook_deliveries set dead_at = null where site_id = ${site.id} and id = ${id}
      returning site_id, id, subscription_id
    )
    ${queued(tx.now())}
    on conflict (site_id, delivery_id) do update
    set next_attempt_at = excluded.next_attempt_at, attempts_before = excluded.attempts_before`.execute(db);
  await tx.emit({ notices: [{ kind: 'deliveries' }] });
  return getDelivery(tx, id);
}

type Dead = JobData<'webhooks.resend_dead'>;

/** Dead deliveries of enabled subscriptions. Those of a disabled one would only wait. */
const isDead = (siteId: number, { subscription_id, dead_since, dead_until }: Dead) => sql<boolean>`
  d.site_id = ${siteId} and d.dead_at >= ${dead_since}::timestamptz and d.dead_at <= ${dead_until}::timestamptz
  and (${subscription_id}::bigint is null or d.subscription_id = ${subscription_id}::bigint)
  and exists (select from webhook_subscriptions s
    where s.site_id = d.site_id and s.id = d.subscription_id and s.disabled_at is null)`;

/** A job does it, because there may be a hundred thousand. */
async function resendDead(
  tx: SiteContext,
  since: Date,
  subscriptionId?: number,
): Promise<{ queued: number }> {
  if (subscriptionId !== undefined && (await subscriptions.lock(tx, subscriptionId)).disabled_at !== null)
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
 * The job: works in small steps to keep locks short. Deliveries that fail again aren't sent a third time, so a
 * restarted job continues where it was.
 */
export async function sendDeadAgain(ctx: SiteContext, dead: Dead): Promise<void> {
  for (let done = STEP; done === STEP; ) {
    done = await ctx.transaction(async (tx) => {
      const { rows } = await sql`
        with dead as (
          select d.site_id, d.id from webhook_deliveries d where ${isDead(tx.site.id, dead)}
          order by d.id limit ${STEP}::int for update of d skip locked
        ), again as (
          update webhook_deliveries d set dead_at = null
          from dead where d.site_id = dead.site_id and d.id = dead.id
          returning d.site_id, d.id, d.subscription_id
        )
        ${queued(tx.now())} returning delivery_id`.execute(tx.db);
      if (rows.length > 0) await tx.emit({ notices: [{ kind: 'deliveries' }] });
      return rows.length;
    });
  }
}
