import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const { id } = await post('tickets', {
    subject: 'Invoice for May',
    body: 'I can’t find it.',
    requester: { key: 'user_77', email: 'ben@example.com', name: 'Ben Okafor' },
  });
  await post('ticket_reply', { ticket_id: id, type: 'public', body: 'It is on its way to you.' });
  return { tickets: [id] };
};
