import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('articles', {
    title: 'Opening hours in 2025',
    category: 'Shop',
    status: 'Archived',
    body: 'Until 18:00.',
  });
  return {};
};
