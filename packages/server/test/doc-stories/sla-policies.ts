import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  await post('sla_policies', {
    name: 'Standard',
    targets: {
      first_response: { low: 480, normal: 240, high: 60, urgent: 15 },
      resolution: { normal: 2880, high: 1440, urgent: 480 },
    },
    warn_minutes: 15,
  });
  return {};
};
