import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import type { SiteContext } from '../core/context.ts';
import { subscriptions } from './subscriptions.ts';

/** Attempts per hour, oldest first, without empty hours. Read from counters, never from the log. */
export async function listHours(
  ctx: SiteContext,
  { subscription_id, days }: ParsedInputOf<'webhook_hours.list'>,
): Promise<OutputOf<'webhook_hours.list'>> {
  await subscriptions.get(ctx, subscription_id);
  const rows = await ctx.db
    .selectFrom('webhook_hours')
    .select(['hour', 'succeeded', 'failed', 'duration_ms'])
    .where('site_id', '=', ctx.site.id)
    .where('subscription_id', '=', subscription_id)
    .where('hour', '>', new Date(ctx.now().getTime() - days * DAY_MS))
    .orderBy('hour')
    .execute();
  return {
    hours: rows.map(({ hour, succeeded, failed, duration_ms }) => ({
      hour_utc: hour.toISOString(),
      succeeded,
      failed,
      mean_duration_ms: Math.round(duration_ms / Math.max(1, succeeded + failed)),
    })),
  };
}
