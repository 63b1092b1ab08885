import type { Story } from '../doc-story.ts';
import { until } from '../harness.ts';

export const story: Story = async ({ app, site, post }) => {
  for (const key of ['user_42', 'user_77']) await post('track', { key, name: 'order_placed' });
  const segment = await post('segments', {
    name: 'Customers',
    rule: { all: [{ event: 'order_placed', op: 'gte', count: 1 }] },
  });
  await until(
    async () => (await app.rest(site.read, 'GET', `/v1/segments?id=${segment.id}`)).body.data.ready === true,
  );
  return {};
};
