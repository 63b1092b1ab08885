import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const { id } = await post('tickets', {
    subject: 'Invoice for May',
    body: 'I can’t find it.',
    requester: { key: 'user_77', email: 'ben@example.com', name: 'Ben Okafor' },
  });
  return { tickets: [id] };
};
