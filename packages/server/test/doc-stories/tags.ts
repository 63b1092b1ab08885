import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('tags', { name: 'returns' });
  await post('tags', { name: 'wholesale', color: '#be123c' });
  return {};
};
