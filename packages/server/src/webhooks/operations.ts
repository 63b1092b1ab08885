import { type AnyOperation, operation } from '../core/operation.ts';
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
  operation({
    name: 'webhook_subscriptions.list',
    summary: 'List webhook subscriptions, or read one',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'webhook_subscriptions', method: 'GET' },
    records: { id: 'webhook_subscription' },
    tool: {
      name: 'list_webhook_subscriptions',
      description:
        'Which other systems are told of events, and whether that works: address, events, whether it was disabled and why. Making and changing subscriptions is for people, in the dashboard.',
    },
    run: listSubscriptions,
  }),
  operation({
    name: 'webhook_subscriptions.create',
    audit: 'webhook_subscription',
    summary: 'Subscribe to events; the answer holds the secret, once',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'webhook_subscriptions', method: 'POST', creates: true },
    run: createSubscription,
  }),
  operation({
    name: 'webhook_subscriptions.update',
    audit: 'webhook_subscription',
    summary: 'Change a webhook subscription, or rotate its secret',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'webhook_subscriptions', method: 'PATCH', query: ['id'] },
    records: { id: 'webhook_subscription' },
    run: updateSubscription,
  }),
  operation({
    name: 'webhook_subscriptions.delete',
    audit: 'webhook_subscription',
    summary: 'Delete a webhook subscription and its deliveries',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'webhook_subscriptions', method: 'DELETE' },
    records: { id: 'webhook_subscription' },
    run: deleteSubscription,
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
