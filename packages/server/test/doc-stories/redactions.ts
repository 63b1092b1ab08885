import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const { id } = await post('tickets', {
    subject: 'Paying again',
    body: 'Please charge 4111 1111 1111 1111.',
    requester: { key: 'user_77', email: 'ben@example.com', name: 'Ben Okafor' },
  });
  return { tickets: [id] };
};
