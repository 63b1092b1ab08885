import { agentActor } from '../core/actor.ts';
import { type AnyOperation, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { sendsMail } from '../mail/site-mailer.ts';
import { choicesOf, choose } from './choices.ts';
import { listNotifications, seeNotifications, tellNotification } from './notifications.ts';
import { pushTest } from './push.ts';
import { addPushDevice, listPushDevices, removePushDevice } from './push-devices.ts';

export const notificationOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'notifications.list',
    summary: 'List recent notifications and the number of unseen ones',
    run: listNotifications,
  }),
  operation({
    ...agentsWrite,
    name: 'notifications.see',
    summary: 'Mark notifications as seen: those of a conversation, some, or all',
    async run(ctx, which) {
      await seeNotifications(ctx, which);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'notifications.tell',
    summary: 'Claim a notification for this desk, unless another one shows it',
    records: { id: 'notification' },
    run: async (ctx, { id, happened_utc }) => ({
      yours: await tellNotification(ctx, id, new Date(happened_utc)),
    }),
  }),
  operation({
    ...agentsRead,
    name: 'notification_settings.get',
    summary: 'Read notification preferences and the browsers that receive pushes',
    run: async (ctx) => ({
      choices: await choicesOf(ctx, agentActor(ctx).agentId),
      devices: await listPushDevices(ctx),
      push_key: ctx.services.push.publicKey,
      mails: await sendsMail(ctx),
    }),
  }),
  operation({
    ...agentsWrite,
    name: 'notification_settings.update',
    summary: 'Update notification preferences',
    run: (ctx, changed) => choose(ctx, agentActor(ctx).agentId, changed),
  }),
  operation({
    ...agentsWrite,
    name: 'push_devices.add',
    summary: 'Register this browser for pushes while signed in',
    run: addPushDevice,
  }),
  operation({
    ...agentsWrite,
    name: 'push_devices.remove',
    summary: 'Unregister one of one’s browsers from pushes',
    records: { id: 'push_device' },
    run: (ctx, { id }) => removePushDevice(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'push_devices.test',
    summary: 'Send a test push to one of one’s browsers',
    records: { id: 'push_device' },
    run: async (ctx, { id }) => ({ outcome: await pushTest(ctx, id) }),
  }),
];
