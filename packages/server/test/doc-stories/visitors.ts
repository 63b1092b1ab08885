import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('visitors', { key: 'user_42', email: 'maya@example.com', name: 'Maya Fischer', plan: 'pro' });
  await post('track', { key: 'user_42', name: 'checkout_started', properties: { total: 89.5 } });
  return {};
};
