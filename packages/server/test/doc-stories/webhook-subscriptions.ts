import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('webhook_subscriptions', { url: 'https://old.example/hook', events: ['feedback'] });
  return {};
};
