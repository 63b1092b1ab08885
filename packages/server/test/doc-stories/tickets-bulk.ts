import type { Json } from '../app.ts';
import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post }) => {
  const tickets: Json[] = [];
  for (const subject of ['Lamp', 'Invoice']) {
    tickets.push(await post('tickets', { subject, body: 'Please help.', requester: { key: 'user_42' } }));
  }
  const macro = await post('macros', {
    name: 'Recall',
    actions: [{ type: 'reply', body: 'Hello {{visitor.name}}, we take the lamp back.' }],
  });
  return { tickets_bulk: tickets.map(({ id }) => id), macros: [macro.id] };
};
