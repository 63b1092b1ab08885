import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const { id } = await post('tickets', {
    subject: 'Cheap lanterns for your shop',
    body: 'Buy 1,000 today.',
    requester: { key: 'user_99', email: 'deals@spam.example' },
  });
  return { tickets: [id] };
};
