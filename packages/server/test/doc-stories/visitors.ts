import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const rule = { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] };
  const segment = await post('segments', { name: 'Pro', rule });
  await post('visitors', { key: 'user_42', email: 'maya@example.com', name: 'Maya Fischer', plan: 'pro' });
  await post('track', { key: 'user_42', name: 'checkout_started', properties: { total: 89.5 } });
  return { segments: [segment.id] };
};
