import { openChat, type Story } from '../doc-story.ts';
import { until } from '../harness.ts';

export const story: Story = async (world) => {
  const { app, site, post, receiver } = world;
  const { id } = await post('webhook_subscriptions', { url: receiver, events: ['handoff'] });
  const { socket, say } = await openChat(world);
  await say('Is the Aurora lamp dimmable?');
  await say('I want to talk to a person');
  socket.cut();
  await until(async () => {
    const { body } = await app.rest(site.read, 'GET', '/v1/webhook_deliveries?status=delivered');
    return body.data.length > 0;
  });
  return { webhook_subscriptions: [id] };
};
