import type {
  DeliveryAttempt,
  DeliveryStatus,
  OutputOf,
  ParsedInputOf,
  WebhookDelivery,
  WebhookEvent,
} from '@foyer/protocol';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { AppError, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { idPage } from '../db/keyset.ts';
import type { Tables } from '../db/tables.generated.ts';
import { deliveryHeaders } from './sending/signature.ts';
import { subscriptions } from './subscriptions.ts';

type AttemptRow = Selectable<Tables['webhook_attempts']>;

interface DeliveryRow {
  id: number;
  delivery_id: string;
  subscription_id: number;
  event: string;
  body: Buffer;
  status: DeliveryStatus;
  next_attempt_at: Date | null;
  disabled_at: Date | null;
  created_at: Date;
}

/**
 * `pending` until the first attempt of a round has failed; "send again" begins a round. Written so that the planner
 * doesn't assume that delivered ones (a joined row that is null) or pending ones (two equal columns) are rare.
 */
const STATUS: Record<DeliveryStatus, RawBuilder<boolean>> = {
  delivered: sql<boolean>`case when q.delivery_id is null then d.dead_at is null else false end`,
  dead: sql<boolean>`d.dead_at is not null`,
  pending: sql<boolean>`q.attempts_made <= q.attempts_before`,
  retrying: sql<boolean>`q.attempts_made > q.attempts_before`,
};

/** Deliveries in the queue are found there, not in the log. */
const hasStatus = ({ site }: SiteContext, status: DeliveryStatus): RawBuilder<boolean> =>
  status === 'pending' || status === 'retrying'
    ? sql`d.id in (select q.delivery_id from webhook_queue q where q.site_id = ${site.id} and ${STATUS[status]})`
    : STATUS[status];

/** The site's deliveries with event, subscription and status, not yet filtered or ordered. */
export const deliveriesOf = (ctx: SiteContext) =>
  ctx.db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_events as e', (join) =>
      join.onRef('e.site_id', '=', 'd.site_id').onRef('e.id', '=', 'd.event_id'),
    )
    .innerJoin('webhook_subscriptions as s', (join) =>
      join.onRef('s.site_id', '=', 'd.site_id').onRef('s.id', '=', 'd.subscription_id'),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('webhook_queue')
          .selectAll()
          .whereRef('site_id', '=', 'd.site_id')
          .whereRef('delivery_id', '=', 'd.id')
          // `offset 0` makes this a lookup per row: a join would read the whole queue for one page.
          .offset(0)
          .as('q'),
      (join) => join.onTrue(),
    )
    .where('d.site_id', '=', ctx.site.id)
    .select(['d.id', 'd.delivery_id', 'd.subscription_id', 'q.next_attempt_at', 'd.created_at'])
    .select(['e.event', 'e.body', 's.disabled_at'])
    .select(
      sql<DeliveryStatus>`case when ${STATUS.delivered} then 'delivered' when ${STATUS.dead} then 'dead'
        when ${STATUS.pending} then 'pending' else 'retrying' end`.as('status'),
    );

async function attemptsOf(ctx: SiteContext, ids: number[]): Promise<Map<number, AttemptRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where('delivery_id', 'in', ids)
    .orderBy('number')
    .execute();
  return Map.groupBy(rows, (row) => row.delivery_id);
}

/** Recreates the headers that were sent; only the signatures are stored. */
function headersOf({ delivery_id, event }: DeliveryRow, row: AttemptRow): Record<string, string> | null {
  const { number, at, signature, signature_previous, standard_signature } = row;
  if (signature === null || standard_signature === null) return null;
  return deliveryHeaders(
    { deliveryId: delivery_id, event, attempt: number, at },
    { service: signature, previous: signature_previous, standard: standard_signature },
  );
}

const presentAttempt = (delivery: DeliveryRow, row: AttemptRow): DeliveryAttempt => ({
  number: row.number,
  at_utc: row.at.toISOString(),
  status_code: row.status_code,
  duration_ms: row.duration_ms,
  error: row.error,
  response_excerpt: row.response_excerpt,
  request_headers: headersOf(delivery, row),
});

function presentDelivery(row: DeliveryRow, attempts: AttemptRow[]): WebhookDelivery {
  // While its subscription is disabled, a delivery waits without a date.
  const next = row.disabled_at === null ? row.next_attempt_at : null;
  return {
    id: row.id,
    delivery_id: row.delivery_id,
    subscription_id: row.subscription_id,
    event: row.event as WebhookEvent,
    status: row.status,
    attempts: attempts.map((attempt) => presentAttempt(row, attempt)),
    next_attempt_utc: next?.toISOString() ?? null,
    payload: JSON.parse(row.body.toString('utf8')),
    created_utc: row.created_at.toISOString(),
  };
}

/** With its attempts. @throws AppError 404, also for another site's. */
export async function getDelivery(ctx: SiteContext, id: number): Promise<WebhookDelivery> {
  const row = await deliveriesOf(ctx)
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('webhook delivery'));
  return presentDelivery(row, (await attemptsOf(ctx, [id])).get(id) ?? []);
}

/** Longer than any write takes, and longer than two nodes' clocks can differ. */
const SAME_MOMENT_MS = 3_600_000;

/**
 * The id from which to look for deliveries since a time; null if there are none. Ids increase with time, except for
 * concurrent writes. The events' index of times finds it, so that the log isn't walked from its other end.
 */
const beginOf = ({ site }: SiteContext, since: Date): RawBuilder<number> => sql`(
  select first.id from webhook_events e2
  join webhook_deliveries first on first.site_id = e2.site_id and first.event_id = e2.id
  where e2.site_id = ${site.id} and e2.created_at >= ${new Date(since.getTime() - SAME_MOMENT_MS)}
  order by e2.created_at limit 1)`;

/** By id, in `input.order`, with their attempts. @throws AppError 404 for an unknown `subscription_id` */
export async function listDeliveries(
  ctx: SiteContext,
  input: ParsedInputOf<'webhook_deliveries.list'>,
): Promise<OutputOf<'webhook_deliveries.list'>> {
  const { subscription_id, status, event, since } = input;
  if (subscription_id !== undefined) await subscriptions.get(ctx, subscription_id);
  let query = deliveriesOf(ctx);
  if (subscription_id !== undefined) query = query.where('d.subscription_id', '=', subscription_id);
  if (status !== undefined) query = query.where(hasStatus(ctx, status));
  if (event !== undefined) query = query.where('e.event', '=', event);
  if (since !== undefined)
    query = query
      .where('d.created_at', '>=', new Date(since))
      .where('d.id', '>=', beginOf(ctx, new Date(since)));
  const page = await idPage(query, input, (row) => row, 'd.id');
  const attempts = await attemptsOf(
    ctx,
    page.items.map((row) => row.id),
  );
  return { ...page, items: page.items.map((row) => presentDelivery(row, attempts.get(row.id) ?? [])) };
}

/** Sends a `ping` to one subscription, whatever events it selected. */
export async function testSubscription(
  ctx: SiteContext,
  { id }: ParsedInputOf<'webhook_subscriptions.test'>,
): Promise<WebhookDelivery> {
  return ctx.transaction(async (tx) => {
    // The lock excludes another test of it, so the newest delivery is the one created here.
    if ((await subscriptions.lock(tx, id)).disabled_at !== null) throw disabled();
    const message = 'This is a test event from Foyer.';
    await tx.emit({ webhook: { event: 'ping', body: { message } }, onlyTo: id });
    const made = await tx.db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_events as e', (join) =>
        join.onRef('e.site_id', '=', 'd.site_id').onRef('e.id', '=', 'd.event_id'),
      )
      .select('d.id')
      .where('d.site_id', '=', tx.site.id)
      .where('d.subscription_id', '=', id)
      .where('e.event', '=', 'ping')
      .orderBy('d.id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return getDelivery(tx, made.id);
  });
}

/** A 409 for sending anything to a disabled subscription. */
export const disabled = (): AppError =>
  new AppError('conflict', 'The webhook subscription is disabled. Enable it first.', {
    reason: 'webhook_disabled',
  });
