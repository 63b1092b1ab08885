import { openChat, type Story } from '../doc-story.ts';

export const story: Story = async (world) => {
  const { socket, say, id } = await openChat(world);
  await say('Can I talk to a person?');
  socket.cut();
  return { session: [id()], agents: [world.site.admin.agentId] };
};
