import { queryOptions } from '@tanstack/react-query';
import { callPages } from '../../../api.ts';

/** Every proactive message, in the order in which they are tried. */
export const proactiveQuery = queryOptions({
  queryKey: ['proactive-messages'],
  queryFn: async ({ signal }) => ({ items: (await callPages('proactive_messages.list', {}, signal)).items }),
});
