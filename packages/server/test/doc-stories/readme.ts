import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  for (const name of ['press', 'delivery', 'returns']) await post('tags', { name });
  return {};
};
