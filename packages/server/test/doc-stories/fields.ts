import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('fields', {
    applies_to: 'tickets',
    name: 'Cause',
    kind: 'choice',
    choices: ['Carrier', 'Supplier', 'Us'],
    required: true,
  });
  return {};
};
