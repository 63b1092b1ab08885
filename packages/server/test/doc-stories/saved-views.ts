import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const requester = { key: 'user_42', name: 'Maya Fischer' };
  await post('tickets', { subject: 'Lamp', body: 'It came broken.', requester, tags: ['returns'] });
  await post('tickets', { subject: 'Invoice', body: 'I can’t find it.', requester, priority: 'urgent' });
  await post('saved_views', { name: 'Returns', filter: { tag: 'returns' }, sort: '-updated' });
  return {};
};
