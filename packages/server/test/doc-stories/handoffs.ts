import { mayasChat, type Story } from '../doc-story.ts';

export const story: Story = async (world) => {
  await mayasChat(world);
  return {};
};
