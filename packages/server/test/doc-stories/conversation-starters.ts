import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('conversation_starters', { label: 'Delivery', prompt: 'How long does delivery take?' });
  return {};
};
