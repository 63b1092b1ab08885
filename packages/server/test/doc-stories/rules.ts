import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('rules', {
    name: 'Refunds first',
    trigger: { on: 'ticket_created' },
    conditions: { any: [{ contains: 'refund' }, { tag: 'vip' }] },
    actions: [{ type: 'set_priority', priority: 'urgent' }],
    enabled: true,
  });
  return {};
};
