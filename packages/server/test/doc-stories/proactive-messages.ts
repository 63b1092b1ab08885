import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('proactive_messages', {
    name: 'Pricing',
    texts: { en: 'Any questions about our **prices**?' },
    pages: ['/pricing'],
    enabled: true,
  });
  return {};
};
