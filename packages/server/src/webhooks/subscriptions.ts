import { setTimeout as delay } from 'node:timers/promises';
import type { OutputOf, ParsedInputOf, WebhookEvent, WebhookSubscription } from '@foyer/protocol';
import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import type { Selectable } from 'kysely';
import { invalidInput, tooMany } from '../base/errors.ts';
import type { Actor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import { idPage } from '../db/keyset.ts';
import type { Tables } from '../db/tables.generated.ts';
import { checkUrl } from '../net/address-guard.ts';
import { lockSite } from '../sites/sites.ts';
import { FRESH_MS } from './sending/lanes.ts';
import { newSecret, SECRET_OVERLAP_MS, secretHint, secretProblem } from './sending/signature.ts';

/** Every event inserts one delivery per subscription in its own transaction, so their number is limited. */
export const MAX_SUBSCRIPTIONS = 500;

/** Changes lock the record; a worker that finds it locked tries again later. */
export const subscriptions = new SiteRecords('webhook_subscriptions', 'webhook subscription');

type Row = Selectable<Tables['webhook_subscriptions']>;
type LaneRow = Pick<Selectable<Tables['webhook_leases']>, 'last_attempt_at' | 'failing_since'>;
type Created = OutputOf<'webhook_subscriptions.create'>;

function presentSubscription(row: Row, lane: LaneRow | undefined): WebhookSubscription {
  return {
    id: row.id,
    url: row.url,
    // The contract checked these names when they were saved.
    events: row.events as WebhookEvent[],
    description: row.description,
    enabled: row.disabled_at === null,
    disabled_reason: row.disabled_reason,
    created_utc: row.created_at.toISOString(),
    updated_utc: row.updated_at.toISOString(),
    last_delivery_utc: lane?.last_attempt_at?.toISOString() ?? null,
    failing_since_utc: lane?.failing_since?.toISOString() ?? null,
    secret_hint: row.secret_hint,
  };
}

async function lanesOf(ctx: SiteContext, ids: number[]): Promise<Map<number, LaneRow>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('webhook_leases')
    .select(['subscription_id', 'last_attempt_at', 'failing_since'])
    .where('site_id', '=', ctx.site.id)
    .where('subscription_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.subscription_id, row]));
}

async function withLane(ctx: SiteContext, row: Row): Promise<WebhookSubscription> {
  return presentSubscription(row, (await lanesOf(ctx, [row.id])).get(row.id));
}

/** With `input.id` that subscription, or a 404; otherwise by id. Never contains secrets. */
export async function listSubscriptions(
  ctx: SiteContext,
  input: ParsedInputOf<'webhook_subscriptions.list'>,
): Promise<OutputOf<'webhook_subscriptions.list'>> {
  if (input.id !== undefined) return withLane(ctx, await subscriptions.get(ctx, input.id));
  const all = ctx.db.selectFrom('webhook_subscriptions').selectAll().where('site_id', '=', ctx.site.id);
  const page = await idPage(all, input, (row) => row);
  const lanes = await lanesOf(
    ctx,
    page.items.map((row) => row.id),
  );
  return { ...page, items: page.items.map((row) => presentSubscription(row, lanes.get(row.id))) };
}

/** Resolves DNS names, so call it before a transaction begins. */
async function requireUsable(
  ctx: SiteContext,
  url: string | undefined,
  secret: string | undefined,
): Promise<void> {
  const urlProblem = url === undefined ? null : await checkUrl(url, ctx.services.webhooks);
  const badSecret = secret === undefined ? null : secretProblem(secret);
  const issues = [
    ...(urlProblem === null ? [] : [{ path: 'url', message: urlProblem, reason: 'public_url' as const }]),
    ...(badSecret === null ? [] : [{ path: 'secret', message: badSecret }]),
  ];
  if (issues.length > 0) throw invalidInput(issues);
}

async function requireRoom(ctx: SiteContext): Promise<void> {
  // Without the lock, concurrent calls could both take the last place.
  await lockSite(ctx);
  const { count } = await ctx.db
    .selectFrom('webhook_subscriptions')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('site_id', '=', ctx.site.id)
    .executeTakeFirstOrThrow();
  if (count >= MAX_SUBSCRIPTIONS)
    throw tooMany(MAX_SUBSCRIPTIONS, `A site can have at most ${MAX_SUBSCRIPTIONS} webhook subscriptions.`);
}

/** Only this response contains the secret. */
export async function createSubscription(
  ctx: SiteContext,
  input: ParsedInputOf<'webhook_subscriptions.create'>,
): Promise<Created> {
  await requireUsable(ctx, input.url, input.secret);
  const secret = input.secret ?? newSecret();
  return ctx.transaction(async (tx) => {
    await requireRoom(tx);
    const now = tx.now();
    const row = await subscriptions.insert(tx, {
      url: input.url,
      events: input.events,
      description: input.description || null,
      secret_cipher: tx.services.vault.seal(secret),
      secret_hint: secretHint(secret),
      created_at: now,
      updated_at: now,
    });
    await tx.db
      .insertInto('webhook_leases')
      .values({ site_id: tx.site.id, subscription_id: row.id })
      .execute();
    return { ...presentSubscription(row, undefined), secret };
  });
}

function switchedOffBy(actor: Actor): string {
  return actor.kind === 'agent'
    ? webhookSentence('switched_off', actor.name)
    : webhookSentence('switched_off_api');
}

/** An existing reason is kept, because it says more. */
function switched(row: Row, enabled: boolean, ctx: SiteContext) {
  if (enabled === (row.disabled_at === null)) return {};
  return enabled
    ? { disabled_at: null, disabled_reason: null, disabled_notice_due_at: null }
    : { disabled_at: ctx.now(), disabled_reason: switchedOffBy(ctx.actor) };
}

/** The old secret also signs for 24 hours; a second rotation within that time drops the oldest. */
function rotated(row: Row, secret: string, ctx: SiteContext) {
  return {
    secret_cipher: ctx.services.vault.seal(secret),
    secret_hint: secretHint(secret),
    previous_secret_cipher: row.secret_cipher,
    previous_secret_until: new Date(ctx.now().getTime() + SECRET_OVERLAP_MS),
  };
}

/**
 * Deliveries that a worker has already read are signed with the old secret alone. The new secret may be used as
 * soon as it is returned, so it is returned only after they have arrived.
 */
const ROTATION_SETTLES_MS = FRESH_MS + 500;

async function letRotationSettle(ctx: SiteContext, id: number): Promise<void> {
  const lane = await ctx.db
    .selectFrom('webhook_leases')
    .select('lease_until')
    .where('site_id', '=', ctx.site.id)
    .where('subscription_id', '=', id)
    .executeTakeFirst();
  if (lane?.lease_until) await delay(ROTATION_SETTLES_MS);
}

/** Resets the days of failure, because somebody has repaired the subscription. */
async function forgetFailures(tx: SiteContext, id: number): Promise<void> {
  await tx.db
    .updateTable('webhook_leases')
    .set({ failing_since: null })
    .where('site_id', '=', tx.site.id)
    .where('subscription_id', '=', id)
    .where('failing_since', 'is not', null)
    .execute();
}

/**
 * Enabling it or changing its URL resets the days of failure. After a rotation, it returns only once nothing is signed
 * with the old secret alone any longer.
 * @throws AppError 400, 404
 */
export async function updateSubscription(
  ctx: SiteContext,
  input: ParsedInputOf<'webhook_subscriptions.update'>,
): Promise<OutputOf<'webhook_subscriptions.update'>> {
  const { id, url, events, description, enabled } = input;
  if (input.secret !== undefined && !input.rotate_secret) {
    throw invalidInput([{ path: 'secret', message: 'requires "rotate_secret": true' }]);
  }
  // Before the address is resolved: another site's id must not take longer than an unknown one.
  await subscriptions.get(ctx, id);
  await requireUsable(ctx, url, input.secret);
  const secret = input.rotate_secret ? (input.secret ?? newSecret()) : undefined;
  const saved = await ctx.transaction(async (tx) => {
    const before = await subscriptions.lock(tx, id);
    const row = await subscriptions.update(tx, id, {
      url,
      events,
      ...(description !== undefined && { description: description || null }),
      ...(enabled !== undefined && switched(before, enabled, tx)),
      ...(secret !== undefined && rotated(before, secret, tx)),
      updated_at: tx.now(),
    });
    if (enabled || url !== undefined) await forgetFailures(tx, id);
    // Wakes the workers for waiting deliveries.
    if (enabled) await tx.emit({ notices: [{ kind: 'deliveries' }] });
    return { ...(await withLane(tx, row)), ...(secret !== undefined && { secret }) };
  });
  if (secret !== undefined) await letRotationSettle(ctx, id);
  return saved;
}

/** Also deletes its deliveries and their log. */
export async function deleteSubscription(
  ctx: SiteContext,
  { id }: ParsedInputOf<'webhook_subscriptions.delete'>,
): Promise<OutputOf<'webhook_subscriptions.delete'>> {
  return ctx.transaction(async (tx) => {
    await subscriptions.lock(tx, id);
    // Locks the lane before its deliveries, in the same order as recording attempts.
    await tx.db
      .deleteFrom('webhook_leases')
      .where('site_id', '=', tx.site.id)
      .where('subscription_id', '=', id)
      .execute();
    return subscriptions.delete(tx, id);
  });
}
