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
      summary: 'List webhook subscriptions, or read one',
      records: { id: 'webhook_subscription' },
      tool: 'Which other systems are told of events, and whether that works: address, events, whether it was disabled and why. Making and changing subscriptions is for people, in the dashboard.',
      run: listSubscriptions,
    },
    create: { summary: 'Subscribe to events; the answer holds the secret, once', run: createSubscription },
    update: { summary: 'Change a webhook subscription, or rotate its secret', run: updateSubscription },
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
    summary: 'Read the delivery log',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'webhook_deliveries', method: 'GET' },
    records: { subscription_id: 'webhook_subscription' },
    tool: {
      name: 'list_webhook_deliveries',
      description:
        'The log of what was sent to other systems: each attempt with its status and error. Use it to find out why another system has not heard of something; `subscription_id`, `status`, `event` and `since` narrow it down.',
    },
    run: listDeliveries,
  }),
  operation({
    name: 'webhook_deliveries.resend',
    summary: 'Send a delivery again, or all that died since a time',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'webhook_deliveries', method: 'POST' },
    records: { id: 'webhook_delivery', subscription_id: 'webhook_subscription' },
    tool: {
      name: 'resend_webhook_delivery',
      description:
        'Send one delivery (`id`) again to the address of its subscription, or all that died since a time (`dead_since`, of one `subscription_id` or of all), for instance after a receiver was repaired. Receivers may see an event twice.',
    },
    run: resendDeliveries,
  }),
  operation({
    name: 'webhook_hours.list',
    summary: 'Attempts by the hour, for the chart',
    who: ['token', 'agent'],
    scope: 'read',
    records: { subscription_id: 'webhook_subscription' },
    run: listHours,
  }),
];
