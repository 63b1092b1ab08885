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
    summary: 'What one was told of lately, and how much of it is unseen',
    run: listNotifications,
  }),
  operation({
    ...agentsWrite,
    name: 'notifications.see',
    summary: 'Says that one has seen what is new in a conversation, some of it, or all',
    async run(ctx, which) {
      await seeNotifications(ctx, which);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'notifications.tell',
    summary: 'Says that this desk tells of something, if no other does',
    records: { id: 'notification' },
    run: async (ctx, { id, happened_utc }) => ({
      yours: await tellNotification(ctx, id, new Date(happened_utc)),
    }),
  }),
  operation({
    ...agentsRead,
    name: 'notification_settings.get',
    summary: 'How one wants to be told of what, and the browsers that take pushes',
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
    summary: 'Chooses how one is told of what',
    run: (ctx, changed) => choose(ctx, agentActor(ctx).agentId, changed),
  }),
  operation({
    ...agentsWrite,
    name: 'push_devices.add',
    summary: 'Lets this browser take pushes for as long as one is signed in',
    run: addPushDevice,
  }),
  operation({
    ...agentsWrite,
    name: 'push_devices.remove',
    summary: 'Sends no more pushes to one of one’s browsers',
    records: { id: 'push_device' },
    run: (ctx, { id }) => removePushDevice(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'push_devices.test',
    summary: 'Sends a push to one of one’s browsers',
    records: { id: 'push_device' },
    run: async (ctx, { id }) => ({ outcome: await pushTest(ctx, id) }),
  }),
];
