import { type AnyOperation, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { listDeliveries, testSubscription } from './delivery-log.ts';
import { listHours } from './hours.ts';
import { resendDeliveries } from './resend.ts';
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  updateSubscription,
} from './subscriptions.ts';

export const webhookOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'webhook_subscriptions',
    record: 'webhook_subscription',
    who: ['token', 'agent'],
    writers: ['token', 'admin'],
    audit: 'webhook_subscription',
    list: {
      summary: 'List webhook subscriptions, or read one by id',
      records: { id: 'webhook_subscription' },
      tool: 'List the systems that receive events, and their state: address, events, whether a subscription was disabled and why. Only people can create and change subscriptions, in the desk.',
      run: listSubscriptions,
    },
    create: {
      summary: 'Create a webhook subscription; the secret is returned once',
      run: createSubscription,
    },
    update: { summary: 'Update a webhook subscription, or rotate its secret', run: updateSubscription },
    delete: { summary: 'Delete a webhook subscription and its deliveries', run: deleteSubscription },
  }),
  operation({
    name: 'webhook_subscriptions.test',
    summary: 'Send a test event to a webhook subscription',
    who: ['token', 'admin'],
    scope: 'write',
    records: { id: 'webhook_subscription' },
    run: testSubscription,
  }),
  operation({
    name: 'webhook_deliveries.list',
    summary: 'List webhook deliveries',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'webhook_deliveries', method: 'GET' },
    records: { subscription_id: 'webhook_subscription' },
    tool: {
      name: 'list_webhook_deliveries',
      description:
        'Read the delivery log: each delivery with the status and error of its attempts. Use it to find out why another system didn’t receive an event. Filter with `subscription_id`, `status`, `event` and `since`.',
    },
    run: listDeliveries,
  }),
  operation({
    name: 'webhook_deliveries.resend',
    summary: 'Retry a delivery, or all that are dead since a time',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'webhook_deliveries', method: 'POST' },
    records: { id: 'webhook_delivery', subscription_id: 'webhook_subscription' },
    tool: {
      name: 'resend_webhook_delivery',
      description:
        'Retry one delivery (`id`), or all that are dead since a time (`dead_since`, of one `subscription_id` or of all), for example after a receiver is fixed. Receivers may get an event twice.',
    },
    run: resendDeliveries,
  }),
  operation({
    name: 'webhook_hours.list',
    summary: 'Count attempts per hour',
    who: ['token', 'agent'],
    scope: 'read',
    records: { subscription_id: 'webhook_subscription' },
    run: listHours,
  }),
];
