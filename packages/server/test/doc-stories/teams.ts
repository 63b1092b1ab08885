import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('teams', { name: 'Billing', emoji: '💳', description: 'Invoices, refunds and dunning' });
  return {};
};
