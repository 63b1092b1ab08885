import { queryOptions } from '@tanstack/react-query';
import { callPages } from '../../../api.ts';
import { callQuery, pagesQuery } from '../../../call-queries.ts';
import { type DeliveryFilter, sinceTime } from './delivery-filter.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => callPages('webhook_subscriptions.list', {}, signal),
});

/** A webhook's deliveries that match a filter, paged. */
export const deliveriesQuery = (subscription_id: number, { status, event, since }: DeliveryFilter) =>
  pagesQuery(
    ['deliveries', subscription_id, status ?? 'all', event ?? 'all', since ?? 'all'],
    'webhook_deliveries.list',
    () => ({
      subscription_id,
      ...(status ? { status } : {}),
      ...(event ? { event } : {}),
      ...(since ? { since: sinceTime(since) } : {}),
    }),
  );

export const webhookHoursKey = (subscription_id: number) => ['deliveries', subscription_id, 'hours'] as const;

/** How many deliveries of a webhook succeeded and failed, by the hour. */
export const webhookHoursQuery = (subscription_id: number, days: number) =>
  callQuery([...webhookHoursKey(subscription_id), days], 'webhook_hours.list', { subscription_id, days });
