import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const requester = { key: 'user_42', email: 'maya@example.com', name: 'Maya Fischer' };
  const ticket = await post('tickets', { subject: 'The lamp flickers', body: 'Since today.', requester });
  return { tickets: [ticket.id] };
};
