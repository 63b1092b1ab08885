import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('macros', {
    name: 'Close as duplicate',
    actions: [
      { type: 'note', body: 'A duplicate.' },
      { type: 'set_status', status: 'solved' },
    ],
  });
  return {};
};
